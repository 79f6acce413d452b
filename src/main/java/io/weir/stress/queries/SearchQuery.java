package io.weir.stress.queries;

import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * One query: a term, all of some terms, any of some terms; and of one that wants all, terms that a
 * document must not have. Terms are as the index has them; nothing is analysed. Or it asks for the
 * documents whose vectors are the nearest to that of its terms.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param kind what the terms are for
 * @param operator what joins the terms; AND if there is only one
 * @param terms that a document has, in their order
 * @param without terms that it has not; only with AND
 */
public record SearchQuery(Kind kind, Operator operator, List<String> terms, List<String> without) {

  /** The most terms of one query; far below the 1024 clauses that Lucene takes. */
  public static final int MAX_TERMS = 64;

  /** How many of the nearest neighbours are searched for: as many as a page of results shows. */
  public static final int NEIGHBOURS = 10;

  /** What terms are for. */
  public enum Kind {
    /** Documents that have them are found. */
    TEXT,
    /** The documents whose vectors are nearest to theirs are found. */
    KNN,
    /** Both are found; their scores are added. */
    HYBRID;

    /** What a line of such queries begins with; nothing for {@link #TEXT}. */
    String prefix() {
      return this == TEXT ? "" : name().toLowerCase(Locale.ROOT) + ":";
    }
  }

  /** What joins terms. */
  public enum Operator {
    /** All of them. */
    AND,
    /** Any of them. */
    OR
  }

  /** Refuses what is no query. */
  public SearchQuery {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(operator, "operator");
    terms = List.copyOf(terms);
    without = List.copyOf(without);
    if (terms.isEmpty()) {
      throw new IllegalArgumentException(
          "a query must have at least 1 term that is not after NOT: 0");
    }
    if (terms.size() + without.size() > MAX_TERMS) {
      throw new IllegalArgumentException(
          "a query must have at most %d terms: %d"
              .formatted(MAX_TERMS, terms.size() + without.size()));
    }
    if (operator == Operator.OR && (terms.size() == 1 || !without.isEmpty())) {
      throw new IllegalArgumentException(
          "OR must join at least 2 terms, and none with NOT: %d and %d"
              .formatted(terms.size(), without.size()));
    }
    if (kind == Kind.KNN && !without.isEmpty()) {
      throw new IllegalArgumentException(
          "a query of vectors alone must have no NOT: " + without.size());
    }
    terms.forEach(SearchQuery::requireText);
    without.forEach(SearchQuery::requireText);
  }

  /** A query for text. */
  public SearchQuery(Operator operator, List<String> terms, List<String> without) {
    this(Kind.TEXT, operator, terms, without);
  }

  /** All documents with {@code term}. */
  public static SearchQuery term(String term) {
    return new SearchQuery(Operator.AND, List.of(term), List.of());
  }

  /**
   * The query of a line of {@link QueryFile}.
   *
   * @throws IllegalArgumentException when it is none, with what is wrong
   */
  public static SearchQuery parse(String line) {
    if (line.isBlank()) {
      throw new IllegalArgumentException("a query must have at least 1 term: '" + line + "'");
    }
    try {
      return QueryLine.parse(line);
    } catch (QuerySyntaxException e) {
      throw new IllegalArgumentException(e.getMessage() + " in '" + line + "'", e);
    }
  }

  /** As {@link #parse} takes it. */
  public String text() {
    return QueryLine.format(this);
  }

  /**
   * As Lucene takes it.
   *
   * @param vectors not asked for {@link Kind#TEXT}
   */
  public Query toLucene(DocumentVectors vectors) {
    return switch (kind) {
      case TEXT -> ofText();
      case KNN -> nearest(vectors);
      case HYBRID ->
          new BooleanQuery.Builder()
              .add(ofText(), Occur.SHOULD)
              .add(nearest(vectors), Occur.SHOULD)
              .build();
    };
  }

  private Query ofText() {
    if (terms.size() == 1 && without.isEmpty()) {
      return query(terms.get(0));
    }
    Occur occur = operator == Operator.AND ? Occur.MUST : Occur.SHOULD;
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    terms.forEach(term -> query.add(query(term), occur));
    without.forEach(term -> query.add(query(term), Occur.MUST_NOT));
    return query.build();
  }

  private Query nearest(DocumentVectors vectors) {
    return new KnnFloatVectorQuery(IndexSchema.VECTOR, vectors.ofQuery(terms), NEIGHBOURS);
  }

  private static Query query(String term) {
    return new TermQuery(new Term(IndexSchema.BODY, term));
  }

  private static void requireText(String term) {
    if (term.isEmpty() || !isText(term)) {
      throw new IllegalArgumentException(
          "a term must be at least 1 character of Unicode, half a pair is none: '" + term + "'");
    }
  }

  /** Whether no half of a surrogate pair is alone: such a text has no UTF-8. */
  static boolean isText(String term) {
    return term.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }
}
