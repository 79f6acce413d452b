package io.weir.stress.experiment;

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

  /** Whose fault it is. */
  public Kind kind() {
    return kind;
  }
}
