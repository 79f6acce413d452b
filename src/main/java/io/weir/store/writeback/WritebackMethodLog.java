package io.weir.store.writeback;

import io.weir.store.WritebackMethod;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs which method smooths writes, and why, once for each method.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> none; a failing log is ignored.
 */
public final class WritebackMethodLog {

  /** The log of this process. */
  public static final WritebackMethodLog PROCESS = new WritebackMethodLog();

  private final Set<WritebackMethod> logged = ConcurrentHashMap.newKeySet();

  public WritebackMedium tell(WritebackMedium medium) {
    if (logged.add(medium.method())) {
      OnceLog.write(WritebackMethodLog.class, Level.INFO, text(medium));
    }
    return medium;
  }

  public static String text(WritebackMedium medium) {
    String how =
        switch (medium.method()) {
          case SYNC_FILE_RANGE -> "smoothed by sync_file_range";
          case FDATASYNC -> "smoothed by FileChannel.force";
          case NONE -> "not smoothed";
        };
    return "merge output is " + how + ": " + medium.reason();
  }
}
