package io.weir.cli;

/** How {@code weir} ends. */
final class ExitCode {

  /** All done. */
  static final int DONE = 0;

  /** Something broke: an arm failed, a file could not be written, a fault of Weir. */
  static final int INTERNAL = 1;

  /** What was asked for cannot be done; no arm was begun. */
  static final int USAGE = 2;

  /** All done, and an arm missed an objective. */
  static final int SLO_MISSED = 3;

  /** All done, and a figure of a history changed. */
  static final int CHANGED = 3;

  /** The machine is too noisy for a run that is to be strict, or a page cache not as asked. */
  static final int NOISY = 4;

  /** Stopped from the keyboard; a partial report is written. */
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
