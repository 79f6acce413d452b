package io.weir.stress.plan;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a run has its queries from.
 *
 * @param file present for {@link Kind#FILE} only
 */
public record QuerySource(Kind kind, Optional<Path> file) {

  /** The ways to come by queries. */
  public enum Kind {
    /** Single terms of the index. */
    TERMS,
    /** Terms of the index, alone and with AND, OR and NOT. */
    MIXED,
    /** Those of a file, in its order. */
    FILE;

    /** As it is asked for and told: {@code terms}, {@code mixed}, {@code file}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Single terms of the index. */
  public static final QuerySource TERMS = new QuerySource(Kind.TERMS, Optional.empty());

  /** Refuses a file where none belongs, and none where one does. */
  public QuerySource {
    Objects.requireNonNull(kind, "kind");
    if ((kind == Kind.FILE) != file.isPresent()) {
      throw new IllegalArgumentException(
          "queries must have a file if they are of one: " + kind.label() + ", " + file);
    }
  }

  /** As the command line has it; a file with one of the two names is given as {@code ./mixed}. */
  public static QuerySource parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("queries must be terms, mixed or a file: '" + text + "'");
    }
    for (Kind drawn : new Kind[] {Kind.TERMS, Kind.MIXED}) {
      if (text.equals(drawn.label())) {
        return new QuerySource(drawn, Optional.empty());
      }
    }
    return new QuerySource(Kind.FILE, Optional.of(Path.of(text)));
  }

  /** As {@link #parse} takes it. */
  @Override
  public String toString() {
    return file.map(Path::toString).orElseGet(kind::label);
  }
}
