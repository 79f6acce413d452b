package io.weir.store.pages;

/** Memory for the page cache, of which as much is free as a test says; at first nothing. */
public final class TestMemory implements PageCacheMemory {

  private final long bytes;
  private long freeBytes;

  /** None of it is free. */
  public TestMemory(long bytes) {
    this.bytes = bytes;
  }

  /** From now on so much is free. */
  public void free(long bytes) {
    freeBytes = bytes;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long freeBytes() {
    return freeBytes;
  }
}
