package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.QueryMix;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Queries for an engine, whose index this process does not read: words of the first documents,
 * drawn in proportion to how often they occur.
 */
public final class EngineQueries {

  private static final int DOCUMENTS = 1000;
  private static final int PER_DOCUMENT = QueryDraw.QUERIES / DOCUMENTS;

  /** Enough that a mix has as a rule each of them once. */
  private static final int MIXED_PER_DOCUMENT = 8 * PER_DOCUMENT;

  private static final int MOST_LETTERS = 50;

  private EngineQueries() {}

  /**
   * Draws them; the content of a {@link QueryFile}.
   *
   * @param kind not {@link QuerySource.Kind#HEAVIEST}, nor {@link QuerySource.Kind#FILE}
   */
  public static byte[] draw(Documents from, QuerySource.Kind kind) throws IOException {
    return switch (kind) {
      case TERMS ->
          QueryFile.format(
              List.of(origin(from)),
              draw(from, PER_DOCUMENT).stream().map(SearchQuery::term).toList());
      case MIXED ->
          QueryFile.format(
              List.of(
                  "mixed, seed %d: %s.".formatted(from.seed(), QueryMix.DESCRIPTION), origin(from)),
              QueryMix.of(shuffled(from), QueryDraw.QUERIES, from.seed()));
      case KNN -> QueryFile.format(List.of(origin(from)), telling(from, SearchQuery.Kind.KNN));
      case HYBRID ->
          QueryFile.format(List.of(origin(from)), telling(from, SearchQuery.Kind.HYBRID));
      case HEAVIEST, FILE ->
          throw new IllegalArgumentException("such queries are not drawn: " + kind.label());
    };
  }

  /** The heaviest of some words of each document. */
  private static List<SearchQuery> telling(Documents from, SearchQuery.Kind kind)
      throws IOException {
    List<String> words = draw(from, MIXED_PER_DOCUMENT);
    List<SearchQuery> queries = new ArrayList<>();
    for (int i = 0; i + MIXED_PER_DOCUMENT <= words.size(); i += MIXED_PER_DOCUMENT) {
      queries.add(QueryDraw.telling(kind, words.subList(i, i + MIXED_PER_DOCUMENT), from.seed()));
    }
    return queries;
  }

  private static String origin(Documents from) {
    return "Words of the first %d documents, seed %d".formatted(count(from), from.seed());
  }

  private static long count(Documents from) {
    return from.maxDocuments() == 0 ? DOCUMENTS : Math.min(DOCUMENTS, from.maxDocuments());
  }

  /** So that the words of a query are of different documents, as with other runs. */
  private static List<String> shuffled(Documents from) throws IOException {
    List<String> words = draw(from, MIXED_PER_DOCUMENT);
    Collections.shuffle(words, new Random(from.seed()));
    return words;
  }

  private static List<String> draw(Documents from, int perDocument) throws IOException {
    SplittableRandom random = new SplittableRandom(from.seed());
    List<String> drawn = new ArrayList<>();
    try (DocumentReader reader =
        DocumentSources.parse(from.source(), from.seed()).open(new ReadProblems())) {
      CorpusDocument text = reader.next();
      for (long read = 1; text != null && read <= count(from); read++, text = reader.next()) {
        List<String> words = words(text.body());
        for (int i = 0; i < perDocument && !words.isEmpty(); i++) {
          drawn.add(words.get(random.nextInt(words.size())));
        }
      }
    }
    return drawn;
  }

  /** The words that are ASCII letters alone: every analyzer leaves those whole. */
  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}_'.]+")) {
      if (word.length() <= MOST_LETTERS && word.matches("[a-z]+")) {
        words.add(word);
      }
    }
    return words;
  }
}
