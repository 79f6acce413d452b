package io.weir.cache;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Slabs whose freed parts hold documents that match nothing, so that reading them shows. */
final class PoisonedMemory implements Memory {

  private static final byte POISON = 0x5a;

  private final AtomicInteger allowed;

  PoisonedMemory() {
    this(Integer.MAX_VALUE);
  }

  /** With room for so many slabs. */
  PoisonedMemory(int slabs) {
    this.allowed = new AtomicInteger(slabs);
  }

  @Override
  public Optional<ByteBuffer> allocate(int bytes) {
    if (allowed.getAndDecrement() <= 0) {
      allowed.set(0);
      return Optional.empty();
    }
    ByteBuffer slab = ByteBuffer.allocateDirect(bytes);
    freed(slab, 0, bytes);
    return Optional.of(slab);
  }

  @Override
  public void freed(ByteBuffer slab, int offset, int bytes) {
    for (int i = 0; i < bytes; i++) {
      slab.put(offset + i, POISON);
    }
  }
}
