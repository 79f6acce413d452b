package io.weir.stress.experiment;

import io.weir.run.FailureWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A run that cannot be begun or gone on with, in one line that a user understands: the rule, the
 * value, the unit.
 */
public final class StressException extends Exception {

  private static final long serialVersionUID = 1;

  /** Whose fault it is. */
  public enum Kind {
    /** The request cannot be met; no arm began. */
    USAGE,
    /** The machine's, which is too noisy for a run that is to be strict; no arm was begun. */
    NOISY,
    /** Something broke on the way. */
    BROKEN
  }

  private final Kind kind;

  /** One line that a user understands. */
  public StressException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * What a run throws when this JVM could not write: that a disk is full, if that is why.
   *
   * @param places where the run writes
   */
  public static void throwIfFull(IOException failure, Path... places) throws StressException {
    Optional<String> full = FailureWords.fullDisk(failure, places);
    if (full.isPresent()) {
      throw new StressException(Kind.BROKEN, full.get());
    }
  }

  /** Whose fault it is. */
  public Kind kind() {
    return kind;
  }
}
