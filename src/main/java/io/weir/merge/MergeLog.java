package io.weir.merge;

import java.lang.System.Logger.Level;

/**
 * The log of this package: one logger, named after the package. A failing log must not affect a
 * merge.
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
      // There is nowhere left to report it.
    }
  }
}
