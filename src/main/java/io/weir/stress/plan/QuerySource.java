package io.weir.stress.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a run has its queries from.
 *
 * @param file present for {@link Kind#FILE} only
 * @param heaviest how many terms, for {@link Kind#HEAVIEST} only; else 0
 */
public record QuerySource(Kind kind, Optional<Path> file, int heaviest) {

  /** What the most of them are. */
  public static final int MOST_HEAVIEST = 100_000;

  /** What {@link #parse} takes, for messages. */
  public static final String FORMS = "terms, mixed, knn, hybrid, heaviest:N or a file";

  private static final String HEAVIEST = "heaviest:";

  /** The ways to come by queries. */
  public enum Kind {
    /** Single terms of the index. */
    TERMS,
    /** Terms of the index, alone and with AND, OR and NOT. */
    MIXED,
    /** The telling words of documents, for the vectors that are nearest to theirs. */
    KNN,
    /** The same words, for vectors and for text. */
    HYBRID,
    /** The terms of the index that occur in the most documents, each as often as the others. */
    HEAVIEST,
    /** Those of a file, in its order. */
    FILE;

    /** As it is asked for and told: its name in lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Single terms of the index. */
  public static final QuerySource TERMS = new QuerySource(Kind.TERMS, Optional.empty(), 0);

  /** Whether vectors are searched for, as far as is known without looking into a file. */
  boolean ofVectors() {
    return kind == Kind.KNN || kind == Kind.HYBRID;
  }

  /** Refuses a file where none belongs, and none where one does. */
  public QuerySource {
    Objects.requireNonNull(kind, "kind");
    if ((kind == Kind.FILE) != file.isPresent()) {
      throw new IllegalArgumentException(
          "queries must have a file if they are of one: " + kind.label() + ", " + file);
    }
    if ((kind == Kind.HEAVIEST) != heaviest > 0 || heaviest > MOST_HEAVIEST) {
      throw new IllegalArgumentException(
          "queries of the heaviest terms must be from 1 to %d: %d"
              .formatted(MOST_HEAVIEST, heaviest));
    }
  }

  /** As the command line has it; a file with one of the names is given as {@code ./mixed}. */
  public static QuerySource parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("queries must be " + FORMS + ": '" + text + "'");
    }
    for (Kind drawn : List.of(Kind.TERMS, Kind.MIXED, Kind.KNN, Kind.HYBRID)) {
      if (text.equals(drawn.label())) {
        return new QuerySource(drawn, Optional.empty(), 0);
      }
    }
    return text.startsWith(HEAVIEST)
        ? heaviest(text.substring(HEAVIEST.length()))
        : new QuerySource(Kind.FILE, Optional.of(Path.of(text)), 0);
  }

  private static QuerySource heaviest(String count) {
    try {
      return new QuerySource(Kind.HEAVIEST, Optional.empty(), Integer.parseInt(count));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "queries must be heaviest:N with a number of terms: '" + HEAVIEST + count + "'", e);
    }
  }

  /** As {@link #parse} takes it. */
  @Override
  public String toString() {
    return file.map(Path::toString)
        .orElseGet(() -> kind == Kind.HEAVIEST ? HEAVIEST + heaviest : kind.label());
  }
}
