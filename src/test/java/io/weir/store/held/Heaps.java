package io.weir.store.held;

import io.weir.fakes.AutoClock;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Heaps of which only the used bytes are known, as without memory beans; and memories of a process
 * in them.
 */
public final class Heaps {

  /** Never short. */
  public static final HeapHeadroom ROOMY = of(Long.MAX_VALUE, () -> 0);

  /** The longest wait after bytes were read for nothing. */
  public static final Duration LONGEST_BACKOFF = ProcessMemory.LONGEST_BACKOFF;

  private Heaps() {}

  public static HeapHeadroom of(long maxBytes, LongSupplier usedBytes) {
    return new HeapHeadroom(maxBytes, usedBytes, List::of, new AutoClock());
  }

  public static ProcessMemory memory(String contents, long maxBytes, HeapHeadroom heap) {
    return memory(contents, maxBytes, heap, NanoClock.SYSTEM);
  }

  public static ProcessMemory memory(
      String contents, long maxBytes, HeapHeadroom heap, NanoClock clock) {
    return new ProcessMemory(contents, maxBytes, heap, clock);
  }
}
