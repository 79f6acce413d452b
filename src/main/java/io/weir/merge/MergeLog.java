package io.weir.merge;

import java.lang.System.Logger.Level;

/** The log of the scheduler. It may fail as well, and no merge may be hurt for that. */
final class MergeLog {

  private static final System.Logger LOGGER =
      System.getLogger(RateLimitedMergeScheduler.class.getName());

  private MergeLog() {}

  static void log(Level level, String message) {
    log(level, message, null);
  }

  static void log(Level level, String message, Throwable cause) {
    try {
      LOGGER.log(level, message, cause);
    } catch (Throwable unheard) {
      // There is nowhere left to tell it.
    }
  }
}
