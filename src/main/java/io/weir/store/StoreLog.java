package io.weir.store;

import java.lang.System.Logger.Level;

/**
 * The log of this package: one logger, named after the package. A failing log must not affect a
 * read, a write or the thread that unmaps.
 */
final class StoreLog {

  private StoreLog() {}

  static void log(Level level, String message, Throwable cause) {
    try {
      logger().log(level, message, cause);
    } catch (Throwable unheard) {
      // There is nowhere left to report it.
    }
  }

  /**
   * @param format as of {@link java.text.MessageFormat}
   */
  static void log(Level level, String format, Object... parameters) {
    try {
      logger().log(level, format, parameters);
    } catch (Throwable unheard) {
      // As above.
    }
  }

  private static System.Logger logger() {
    return System.getLogger(StoreLog.class.getPackageName());
  }
}
