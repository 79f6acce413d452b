package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;

/**
 * Copies a file to the heap piece by piece, so that the caller can stop in between.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> exceptions of the source, and {@link OutOfMemoryError};
 * the copy is then unusable.
 */
final class HeapCopy {

  /** Allocates the blocks; a seam for tests. */
  @FunctionalInterface
  interface Allocator {
    byte[] allocate(int bytes);
  }

  /**
   * A power of two, and less than half of G1's smallest region (1 MiB), so not a humongous object.
   */
  static final int MIN_BLOCK_BYTES = 1 << 18;

  /** A slow disk reads this in a few milliseconds. */
  private static final int PIECE_BYTES = 1 << 18;

  /** A clone costs about 100 bytes per block, and a search makes one per segment. */
  private static final int MAX_BLOCKS = 64;

  private static final int MAX_BLOCK_BYTES = 1 << 30;

  private final IndexInput source;
  private final Allocator allocator;
  private final long length;
  private final int blockBytes;
  private final byte[][] blocks;
  private long copiedBytes;

  /**
   * An empty copy.
   *
   * @param source at its beginning, and not read by others; the caller closes it
   */
  HeapCopy(IndexInput source, Allocator allocator) {
    this.source = source;
    this.allocator = allocator;
    this.length = source.length();
    this.blockBytes = blockBytes(length);
    this.blocks = new byte[(int) ((length + blockBytes - 1) / blockBytes)][];
  }

  long leftBytes() {
    return length - copiedBytes;
  }

  /** Copies the next piece, if any is left. */
  void step() throws IOException {
    int block = (int) (copiedBytes / blockBytes);
    int at = (int) (copiedBytes % blockBytes);
    if (copiedBytes < length) {
      if (at == 0) {
        blocks[block] = allocator.allocate((int) Math.min(blockBytes, leftBytes()));
      }
      int count = Math.min(PIECE_BYTES, blocks[block].length - at);
      source.readBytes(blocks[block], at, count);
      copiedBytes += count;
    }
  }

  /** The complete copy. */
  IndexInput input() {
    return new HeapIndexInput("Resident(" + source + ")", HeapBlocks.of(blocks, blockBytes));
  }

  /** A power of two. */
  static int blockBytes(long length) {
    int bytes = MIN_BLOCK_BYTES;
    while (length > (long) bytes * MAX_BLOCKS && bytes < MAX_BLOCK_BYTES) {
      bytes *= 2;
    }
    return bytes;
  }
}
