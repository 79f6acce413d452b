package io.weir.store;

/** Memory for the page cache, none of which is free unless it says so. */
final class ShortMemory implements PageCacheMemory {

  private final long bytes;
  private boolean isFree;

  ShortMemory(long bytes) {
    this.bytes = bytes;
  }

  /** From now on there is more than enough. */
  void isFree() {
    isFree = true;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean isShort() {
    return !isFree;
  }
}
