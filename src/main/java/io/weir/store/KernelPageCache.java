package io.weir.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * {@link PageCache} by {@code posix_fadvise} and {@code mincore}.
 *
 * <p>Since Linux 5.2 {@code mincore} says of a file that one may not write to that all of it is
 * there (so that nobody can watch what others read); such a file is refused here.
 */
final class KernelPageCache implements PageCache {

  /** Mapped at a time: for pages of 4 KiB the kernel's answer is 256 KiB. */
  static final long CHUNK_BYTES = 1L << 30;

  private final LinuxCalls calls;
  private final long chunkBytes;

  KernelPageCache(LinuxCalls calls) {
    this(calls, CHUNK_BYTES);
  }

  /**
   * @param chunkBytes a multiple of the page size
   */
  KernelPageCache(LinuxCalls calls, long chunkBytes) {
    this.calls = calls;
    this.chunkBytes = chunkBytes;
  }

  @Override
  public void drop(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true); // dirty pages would stay
    }
    int descriptor = calls.open(file);
    try {
      calls.dropRange(descriptor, 0, 0);
    } finally {
      calls.close(descriptor);
    }
  }

  @Override
  public long residentBytes(Path file) throws IOException {
    if (!Files.isWritable(file)) {
      throw new AccessDeniedException(
          file.toString(), null, "the kernel tells only whoever may write to it");
    }
    int pageBytes = calls.pageBytes();
    long resident = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      for (long offset = 0; offset < size; offset += chunkBytes) {
        long bytes = Math.min(chunkBytes, size - offset);
        int pages = Math.toIntExact((bytes + pageBytes - 1) / pageBytes);
        ByteBuffer states = ByteBuffer.allocateDirect(pages);
        calls.residency(channel, offset, bytes, states);
        for (int page = 0; page < pages; page++) {
          if ((states.get(page) & 1) != 0) {
            resident += Math.min(pageBytes, bytes - (long) page * pageBytes);
          }
        }
      }
    }
    return resident;
  }
}
