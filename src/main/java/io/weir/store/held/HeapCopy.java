package io.weir.store.held;

import java.io.IOException;
import java.lang.ref.SoftReference;
import org.apache.lucene.store.IndexInput;

/**
 * Copies a file to the heap piece by piece, so that the caller can stop in between and go on later.
 *
 * <p>Until it is complete, it is held by a soft reference: a JVM that runs out of heap reclaims
 * what was copied, except for the piece in progress.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> exceptions of the source, and {@link
 * OutOfMemoryError}; the copy is then unusable.
 */
public final class HeapCopy {

  /**
   * A power of two, and less than half of G1's smallest region (1 MiB), so not a humongous object.
   */
  static final int MIN_BLOCK_BYTES = 1 << 18;

  /** A slow disk reads this in a few milliseconds. */
  private static final int PIECE_BYTES = 1 << 18;

  /** A clone costs about 100 bytes per block, and a search makes one per segment. */
  private static final int MAX_BLOCKS = 64;

  private static final int MAX_BLOCK_BYTES = 1 << 30;

  private final HeldMemory.Allocator allocator;
  private final long length;
  private final int blockBytes;
  private final SoftReference<byte[][]> blocks;
  private long copiedBytes;

  /**
   * An empty copy.
   *
   * @param length of the file in bytes
   */
  public HeapCopy(long length, HeldMemory.Allocator allocator) {
    this.allocator = allocator;
    this.length = length;
    this.blockBytes = blockBytes(length);
    this.blocks = new SoftReference<>(new byte[(int) ((length + blockBytes - 1) / blockBytes)][]);
  }

  public long leftBytes() {
    return length - copiedBytes;
  }

  public long copiedBytes() {
    return copiedBytes;
  }

  /** Whether the JVM has left it; asking keeps it from being taken for idle. */
  public boolean isHeld() {
    return blocks.get() != null;
  }

  /**
   * Copies the next of the bytes that are left; false if the JVM has reclaimed the copy.
   *
   * @param source the file, at {@link #copiedBytes}
   */
  public boolean step(IndexInput source) throws IOException {
    int at = (int) (copiedBytes % blockBytes);
    byte[] block =
        at == 0 ? allocator.allocate((int) Math.min(blockBytes, leftBytes())) : currentBlock();
    if (block == null) {
      return false;
    }
    int count = Math.min(PIECE_BYTES, block.length - at);
    source.readBytes(block, at, count);
    byte[][] all = blocks.get(); // only now, so reading keeps none but this block from reclaim
    if (all == null) {
      return false;
    }
    all[index()] = block;
    copiedBytes += count;
    return true;
  }

  private byte[] currentBlock() {
    byte[][] all = blocks.get();
    return all == null ? null : all[index()];
  }

  private int index() {
    return (int) (copiedBytes / blockBytes);
  }

  /**
   * The complete copy; null if the JVM has reclaimed it.
   *
   * @param name describes the file
   */
  public IndexInput input(String name) {
    byte[][] all = blocks.get();
    return all == null
        ? null
        : new HeapIndexInput("Resident(" + name + ")", all, blockBytes, length, () -> {});
  }

  /** A power of two. */
  public static int blockBytes(long length) {
    int bytes = MIN_BLOCK_BYTES;
    while (length > (long) bytes * MAX_BLOCKS && bytes < MAX_BLOCK_BYTES) {
      bytes *= 2;
    }
    return bytes;
  }
}
