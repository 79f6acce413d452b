package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Queries for an engine, whose index this process does not read: single words of the first
 * documents, drawn in proportion to how often they occur.
 */
public final class EngineQueries {

  private static final int DOCUMENTS = 1000;
  private static final int PER_DOCUMENT = 2;
  private static final int MOST_LETTERS = 50;

  private EngineQueries() {}

  /** Draws them; the content of a {@link QueryFile}. */
  public static byte[] draw(Documents from) throws IOException {
    SplittableRandom random = new SplittableRandom(from.seed());
    List<SearchQuery> queries = new ArrayList<>();
    long most = from.maxDocuments() == 0 ? DOCUMENTS : Math.min(DOCUMENTS, from.maxDocuments());
    try (DocumentReader reader =
        DocumentSources.parse(from.source(), from.seed()).open(new ReadProblems())) {
      CorpusDocument text = reader.next();
      for (long read = 1; text != null && read <= most; read++, text = reader.next()) {
        List<String> words = words(text.body());
        for (int i = 0; i < PER_DOCUMENT && !words.isEmpty(); i++) {
          queries.add(SearchQuery.term(words.get(random.nextInt(words.size()))));
        }
      }
    }
    return QueryFile.format(
        List.of("Words of the first %d documents, seed %d".formatted(most, from.seed())), queries);
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
