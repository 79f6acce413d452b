package io.weir.merge;

import java.lang.System.Logger.Level;

/**
 * The log of the scheduler: one logger, with the package's name. It may fail as well, and no merge
 * may be hurt for that.
 */
final class MergeLog {

  private MergeLog() {}

  static void log(Level level, String message) {
    log(level, message, null);
  }

  static void log(Level level, String message, Throwable cause) {
    try {
      System.getLogger(MergeLog.class.getPackageName()).log(level, message, cause);
    } catch (Throwable unheard) {
      // There is nowhere left to tell it.
    }
  }
}
