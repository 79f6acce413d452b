package io.weir.stress;

import io.weir.run.MergeFigures;
import io.weir.run.Values;

/** The large merge of an arm, to which a test adds what it is about. */
public final class QuickMerge {

  private QuickMerge() {}

  /** A forced merge of a second that wrote so much. */
  public static Values.Builder of(long bytesWritten) {
    return Values.builder()
        .put(MergeFigures.KIND, "forced")
        .put(MergeFigures.SECONDS, 1.0)
        .put(MergeFigures.ENDED, true)
        .put(MergeFigures.BYTES_WRITTEN, bytesWritten);
  }

  /** The same with Weir in the path, and all of it charged. */
  public static Values.Builder charged(long bytesWritten) {
    return of(bytesWritten)
        .put(MergeFigures.BYTES_CHARGED, bytesWritten)
        .put(MergeFigures.PAUSED_SECONDS, 0.0);
  }
}
