package io.weir.stress;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.stress.result.MergeResult;

/** Whether the budget was charged for what merges wrote. */
public final class Charged {

  private Charged() {}

  /** At each end of the window, a small merge may be between its grant and the disk. */
  public static void assertAll(MergeResult merge) {
    long difference = merge.bytesCharged().orElseThrow() - merge.bytesWritten().orElseThrow();
    assertTrue(Math.abs(difference) <= 2L * ByteBudget.MAX_GRANT_BYTES, merge.toString());
  }
}
