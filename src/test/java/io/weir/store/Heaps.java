package io.weir.store;

import io.weir.fakes.AutoClock;
import java.util.List;
import java.util.function.LongSupplier;

/** Heaps of which only the used bytes are known, as without memory beans. */
final class Heaps {

  /** Never short. */
  static final HeapHeadroom ROOMY = of(Long.MAX_VALUE, () -> 0);

  private Heaps() {}

  static HeapHeadroom of(long maxBytes, LongSupplier usedBytes) {
    return new HeapHeadroom(maxBytes, usedBytes, List::of, new AutoClock());
  }
}
