package io.weir.store.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A kernel that has the pages of each file that are marked with an x, and writes down what it is
 * told to drop.
 */
public final class MarkedPages implements LinuxCalls {

  private String marked;
  private final int pageBytes;
  private final List<String> dropped = new ArrayList<>();

  /** The pages of any file, from its first. */
  public MarkedPages(String marked, int pageBytes) {
    this.marked = marked;
    this.pageBytes = pageBytes;
  }

  /** It has others from now on. */
  public void becomes(String nowMarked) {
    marked = nowMarked;
  }

  /** What was to be dropped: the file, the first byte, and how many. */
  public List<String> dropped() {
    return dropped;
  }

  /** What it has of a file that is as long as the pages. */
  public CachedPages of(Path file) throws IOException {
    Files.write(file, new byte[marked.length() * pageBytes]);
    try (FileChannel channel = FileChannel.open(file)) {
      return CachedPages.look(this, channel, 0, channel.size());
    }
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public void residency(FileChannel file, long offset, long bytes, ByteBuffer states) {
    if (offset % pageBytes != 0) {
      throw new AssertionError("mincore refuses it: " + offset);
    }
    for (int page = 0; page < Math.ceilDiv(bytes, pageBytes); page++) {
      boolean has = marked.charAt((int) (offset / pageBytes) + page) == 'x';
      states.put(page, (byte) (has ? 0xff : 0xfe)); // other bits mean nothing
    }
  }

  @Override
  public int open(Path path) {
    return 7;
  }

  @Override
  public void dropRange(int descriptor, long offset, long bytes) {
    dropped.add(offset / pageBytes + "+" + bytes / (double) pageBytes);
  }

  @Override
  public void syncFileRange(int descriptor, long offset, long bytes, int flags) {
    throw new AssertionError("it writes nothing");
  }

  @Override
  public void setAttribute(Path file, String name, ByteBuffer value) {
    throw new AssertionError("it reads");
  }

  @Override
  public int attribute(Path file, String name, ByteBuffer value) {
    throw new AssertionError("it reads");
  }

  @Override
  public OptionalInt threadNumber() {
    throw new AssertionError("it reads");
  }

  @Override
  public int schedulingPolicy(int thread) {
    throw new AssertionError("it reads");
  }

  @Override
  public void setSchedulingPolicy(int thread, int policy) {
    throw new AssertionError("it reads");
  }

  @Override
  public void close(int descriptor) {}
}
