package io.weir.store.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.BitSet;

/**
 * Which pages of a part of a file were in the page cache at one moment, or which of these a process
 * had touched ({@link TouchedPages}). To look touches no page.
 *
 * <p><b>Units:</b> bytes, from the beginning of the file. <b>Threads:</b> immutable. <b>Memory:</b>
 * 32 KiB for each GiB, with pages of 4 KiB.
 *
 * <p>Since Linux 5.2 {@code mincore} reports a file that the process may not write as entirely
 * cached, to hide what others read.
 */
public final class CachedPages {

  /** The size of one mapping: with pages of 4 KiB the kernel's answer has 256 KiB. */
  public static final long CHUNK_BYTES = 1L << 30;

  /** Uses a run of pages, of which the first and the last may belong to the part only partly. */
  @FunctionalInterface
  public interface Run {
    /** The run, within the part. */
    void of(long offset, long bytes) throws IOException;
  }

  private final long start;
  private final long length;
  private final int pageBytes;
  private final BitSet cached; // by the number of the page in the file, from the first of the part

  CachedPages(long start, long length, int pageBytes, BitSet cached) {
    this.start = start;
    this.length = length;
    this.pageBytes = pageBytes;
    this.cached = cached;
  }

  /** Looks at a part of an open file; the part may be empty. */
  public static CachedPages look(LinuxCalls calls, FileChannel file, long offset, long length)
      throws IOException {
    return look(calls, file, offset, length, CHUNK_BYTES);
  }

  /**
   * Looks in steps.
   *
   * @param chunkBytes a multiple of the page size
   */
  public static CachedPages look(
      LinuxCalls calls, FileChannel file, long offset, long length, long chunkBytes)
      throws IOException {
    int pageBytes = calls.pageBytes();
    long firstPage = offset / pageBytes;
    long end = offset + length;
    BitSet cached = new BitSet(Math.toIntExact(Math.ceilDiv(end, pageBytes) - firstPage));
    for (long at = firstPage * pageBytes; at < end; at += chunkBytes) {
      long bytes = Math.min(chunkBytes, end - at);
      int pages = Math.toIntExact(Math.ceilDiv(bytes, pageBytes));
      ByteBuffer states = ByteBuffer.allocateDirect(pages);
      calls.residency(file, at, bytes, states);
      int first = Math.toIntExact(at / pageBytes - firstPage);
      for (int page = 0; page < pages; page++) {
        if ((states.get(page) & 1) != 0) {
          cached.set(first + page);
        }
      }
    }
    return new CachedPages(offset, length, pageBytes, cached);
  }

  /** The size of a page. */
  public int pageBytes() {
    return pageBytes;
  }

  /** Where the part begins in the file. */
  public long offset() {
    return start;
  }

  /** The length of the part. */
  public long length() {
    return length;
  }

  /** The bytes of the part that were cached. */
  public long bytes() {
    return bytes(start, start + length);
  }

  /** The bytes that were cached, from one place to another, both within the part. */
  public long bytes(long from, long to) {
    long sum = 0;
    for (long at = from; at < to; ) {
      int first = page(at);
      int next = cached.nextSetBit(first);
      if (next < 0) {
        break;
      }
      long runEnd = Math.min(to, startOf(cached.nextClearBit(next)));
      sum += Math.max(0, runEnd - Math.max(at, startOf(next)));
      at = runEnd > at ? runEnd : to;
    }
    return sum;
  }

  /** Each run of pages that were not cached, from one place to another, both within the part. */
  public void uncached(long from, long to, Run each) throws IOException {
    for (long at = from; at < to; ) {
      long begin = Math.max(at, startOf(cached.nextClearBit(page(at))));
      int next = cached.nextSetBit(page(begin));
      long end = next < 0 ? to : Math.min(to, startOf(next));
      if (begin < end) {
        each.of(begin, end - begin);
      }
      at = Math.max(begin, end);
    }
  }

  /**
   * The pages of this that are not among others.
   *
   * @param other of the same part
   */
  public CachedPages without(CachedPages other) {
    BitSet rest = (BitSet) cached.clone();
    rest.andNot(other.cached);
    return new CachedPages(start, length, pageBytes, rest);
  }

  private int page(long offset) {
    return Math.toIntExact(offset / pageBytes - start / pageBytes);
  }

  private long startOf(int page) {
    return (start / pageBytes + page) * pageBytes;
  }
}
