package io.weir.store.pages;

import io.weir.store.kernel.CachedPages;
import java.io.IOException;

/**
 * What of a file stays by the memory that is free: all of it, then as much as the page cache had of
 * the input, then what readers want. It asks for each piece, as dropping one makes room for others.
 */
final class FittingForecast implements Forecast {

  private static final long PIECE_BYTES = 4 << 20;

  /** While one of so many parts of memory is free, there is enough for all. */
  private static final int ENOUGH_PARTS = 8;

  /** While one of so many parts is free, there is enough for what was cached. */
  private static final int SHORT_PARTS = 16;

  private final Forecast wanted;
  private final Forecast cached;
  private final PageCacheMemory memory;
  private final long memoryBytes;

  /** Of a file whose readers want this of it, and that has so much for what was cached. */
  FittingForecast(Forecast wanted, Forecast cached, PageCacheMemory memory) {
    this.wanted = wanted;
    this.cached = wanted.or(cached);
    this.memory = memory;
    this.memoryBytes = memory.bytes();
  }

  @Override
  public void unwanted(long from, long to, CachedPages.Run each) throws IOException {
    for (long at = from; at < to; at += PIECE_BYTES) {
      long free = memory.freeBytes();
      if (free < memoryBytes / ENOUGH_PARTS) {
        (free < memoryBytes / SHORT_PARTS ? wanted : cached)
            .unwanted(at, Math.min(to, at + PIECE_BYTES), each);
      }
    }
  }

  @Override
  public void wanted(long from, long to, CachedPages.Run each) throws IOException {
    wanted.wanted(from, to, each);
  }
}
