package io.weir.store;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says in the log which method smooths writes, and why: once for each method.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> none; a log that fails is left alone.
 */
final class WritebackMethodLog {

  /** Those of this process. */
  static final WritebackMethodLog PROCESS = new WritebackMethodLog();

  private static final System.Logger LOGGER = System.getLogger(WritebackDirectory.class.getName());

  private final Set<WritebackMethod> told = ConcurrentHashMap.newKeySet();

  WritebackMedium tell(WritebackMedium medium) {
    if (told.add(medium.method())) {
      try {
        LOGGER.log(Level.INFO, text(medium));
      } catch (Throwable unheard) {
        // No directory may fail for it.
      }
    }
    return medium;
  }

  static String text(WritebackMedium medium) {
    String how =
        switch (medium.method()) {
          case SYNC_FILE_RANGE -> "smoothed by sync_file_range";
          case FDATASYNC -> "smoothed by FileChannel.force";
          case NONE -> "not smoothed";
        };
    return "merge output is " + how + ": " + medium.reason();
  }
}
