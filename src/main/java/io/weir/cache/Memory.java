package io.weir.cache;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Where a {@link PagePool} gets its slabs, which it keeps. */
interface Memory {

  /** A slab; empty if there is no memory for it. Never throws for lack of memory. */
  Optional<ByteBuffer> allocate(int bytes);

  /** Called for each part of a slab that was freed, before anything can be written there again. */
  default void freed(ByteBuffer slab, int offset, int bytes) {}
}
