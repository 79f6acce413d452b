package io.weir.stress.queries;

import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.QuerySource;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexReader;

/** Draws a run's queries from an index. */
public final class QueryDraw {

  /** How many, whatever the index; searches begin with the first again after the last. */
  public static final int QUERIES = 2000;

  /** Enough that a mix has as a rule each of them once. */
  private static final int MIXED_TERMS = 8 * QUERIES;

  /** What a person may remember of a document. */
  private static final int TELLING = 5;

  private QueryDraw() {}

  /**
   * The file of queries that an index, seed and kind give; without any when the index has no text.
   *
   * @param source not {@link QuerySource.Kind#FILE}
   * @param stopped whether to end early, with none
   */
  public static byte[] draw(
      IndexReader reader, QuerySource source, long seed, BooleanSupplier stopped)
      throws IOException {
    return switch (source.kind()) {
      case TERMS ->
          file("terms, seed " + seed + ": 100 % single terms", terms(reader, seed, stopped));
      case MIXED ->
          file("mixed, seed " + seed + ": " + QueryMix.DESCRIPTION, mixed(reader, seed, stopped));
      case KNN, HYBRID -> telling(reader, source.kind(), seed, stopped);
      case HEAVIEST -> heaviest(reader, source.heaviest(), seed, stopped);
      case FILE -> throw new IllegalArgumentException("the queries of a file are not drawn");
    };
  }

  static List<SearchQuery> terms(IndexReader reader, long seed, BooleanSupplier stopped)
      throws IOException {
    return SearchTerms.drawBySegment(reader, QUERIES, seed, stopped).stream()
        .map(SearchQuery::term)
        .toList();
  }

  static List<SearchQuery> mixed(IndexReader reader, long seed, BooleanSupplier stopped)
      throws IOException {
    return QueryMix.of(
        SearchTerms.drawByDocuments(reader, MIXED_TERMS, seed, stopped), QUERIES, seed);
  }

  /**
   * A query for vectors that are near to the words of a text.
   *
   * @param words one at least; it has those that tell most
   */
  public static SearchQuery telling(SearchQuery.Kind kind, List<String> words, long seed) {
    List<String> telling = DocumentVectors.heaviest(words, TELLING, seed);
    return new SearchQuery(
        kind,
        telling.size() == 1 ? SearchQuery.Operator.AND : SearchQuery.Operator.OR,
        telling,
        List.of());
  }

  private static byte[] telling(
      IndexReader reader, QuerySource.Kind kind, long seed, BooleanSupplier stopped)
      throws IOException {
    SearchQuery.Kind drawn =
        kind == QuerySource.Kind.KNN ? SearchQuery.Kind.KNN : SearchQuery.Kind.HYBRID;
    List<SearchQuery> queries =
        SearchTerms.halves(reader, QUERIES, seed, stopped).stream()
            .map(words -> telling(drawn, words, seed))
            .toList();
    return QueryFile.format(
        List.of(
            "What weir searched for, one query a line, in this order and over again.",
            "The %d words that tell most in one half of a document, %s, seed %d: %d queries."
                .formatted(TELLING, kind.label(), seed, queries.size())),
        queries);
  }

  private static byte[] heaviest(IndexReader reader, int count, long seed, BooleanSupplier stopped)
      throws IOException {
    List<SearchQuery> queries =
        SearchTerms.heaviest(reader, count, seed, stopped).stream().map(SearchQuery::term).toList();
    return QueryFile.format(
        List.of(
            "What weir searched for, one query a line, in this order and over again.",
            "The %d terms of the index that occur in the most documents, shuffled by seed %d."
                .formatted(queries.size(), seed)),
        queries);
  }

  private static byte[] file(String mix, List<SearchQuery> queries) {
    return QueryFile.format(
        List.of(
            "What weir stress searched for, one query a line, in this order and over again.",
            mix + ".",
            "Terms of the index, drawn as often as each is common: %d queries."
                .formatted(queries.size()),
            "To search for the same: weir stress --queries FILE"),
        queries);
  }
}
