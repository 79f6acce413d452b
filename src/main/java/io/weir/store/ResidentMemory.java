package io.weir.store;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * The files that one {@link ResidentDirectory} holds: reads them in, keeps to the bound, counts.
 *
 * <p>They are heap buffers, so nothing can be read after it was given back: a clone that is still
 * in use when its file is closed goes on working, and its bytes go with the last of them. Counted
 * as held they are until the file is closed.
 *
 * <p><b>Threads:</b> any. Reading a file in takes no lock.
 */
final class ResidentMemory {

  private static final System.Logger LOGGER = System.getLogger(ResidentDirectory.class.getName());

  /** A power of two, and below half of the smallest region of G1 (1 MiB), which moves it well. */
  static final int MIN_BLOCK_BYTES = 1 << 18;

  /** Each clone, and a search makes one for each segment, costs some 100 bytes for each block. */
  private static final int MAX_BLOCKS = 64;

  private static final int MAX_BLOCK_BYTES = 1 << 30;

  /** The smallest page of the machines that Lucene runs on; larger ones are touched more often. */
  private static final int PAGE_BYTES = 4096;

  private final long maxBytes;
  private final KeyResidence residence;

  // All guarded by this.
  private final Map<String, Long> bytesBySegment = new HashMap<>();
  private long bytes;
  private long peakBytes;
  private long files;
  private long loadedFiles;
  private long refusedFiles;
  private long faults;

  ResidentMemory(long maxBytes, KeyResidence residence) {
    this.maxBytes = maxBytes;
    this.residence = residence;
  }

  /** Whether who opens a file will read it from end to end, once: then a copy is no use. */
  static boolean isReadOnce(IOContext context) {
    return context.hints().contains(ReadOnceHint.INSTANCE);
  }

  /**
   * All of {@code source} in memory; empty when there is no room for it. On the heap it is a copy,
   * and {@code source} is needed no more, but stays open; preloaded it is the source itself, which
   * is closed with it.
   */
  Optional<IndexInput> hold(String name, IndexInput source) throws IOException {
    long length = source.length();
    if (!reserve(name, length)) {
      return Optional.empty();
    }
    boolean loaded = false;
    try {
      Runnable onClose = () -> release(name, length);
      IndexInput held =
          switch (residence) {
            case HEAP -> copy(source, onClose);
            case PRELOADED -> new PreloadedIndexInput(touched(source), onClose);
          };
      loaded = true;
      return Optional.of(held);
    } finally {
      ended(name, length, loaded);
    }
  }

  /** It is not known whether the file is to be held, or it could not be read in. */
  void fault(String name, Exception failure) {
    boolean first;
    synchronized (this) {
      first = faults++ == 0;
    }
    if (first) {
      LOGGER.log(
          Level.WARNING,
          () -> name + " is not held in memory; later faults are counted and not logged",
          failure);
    }
  }

  synchronized ResidentSnapshot snapshot() {
    return new ResidentSnapshot(
        bytes, peakBytes, files, bytesBySegment, loadedFiles, refusedFiles, faults);
  }

  private boolean reserve(String name, long length) {
    long heldBytes;
    boolean first;
    synchronized (this) {
      if (length <= maxBytes - bytes) {
        bytes += length;
        peakBytes = Math.max(peakBytes, bytes);
        files++;
        bytesBySegment.merge(IndexFileNames.parseSegmentName(name), length, Long::sum);
        return true;
      }
      heldBytes = bytes;
      first = refusedFiles++ == 0;
    }
    if (first) {
      LOGGER.log(
          Level.WARNING,
          "{0} of {1} bytes is not held in memory, because {2} of at most {3} bytes are in use;"
              + " later ones are counted and not logged",
          name,
          Long.toString(length),
          Long.toString(heldBytes),
          Long.toString(maxBytes));
    }
    return false;
  }

  private synchronized void ended(String name, long length, boolean loaded) {
    if (loaded) {
      loadedFiles++;
    } else {
      release(name, length);
    }
  }

  private synchronized void release(String name, long length) {
    bytes -= length;
    files--;
    bytesBySegment.computeIfPresent(
        IndexFileNames.parseSegmentName(name),
        (segment, held) -> held == length ? null : held - length);
  }

  private static IndexInput touched(IndexInput source) throws IOException {
    long length = source.length();
    IndexInput pages = source.clone();
    if (length > 0) {
      pages.prefetch(0, length);
    }
    for (long offset = 0; offset < length; offset += PAGE_BYTES) {
      pages.seek(offset);
      pages.readByte();
    }
    return source;
  }

  /** A power of two. */
  static int blockBytes(long length) {
    int bytes = MIN_BLOCK_BYTES;
    while (length > (long) bytes * MAX_BLOCKS && bytes < MAX_BLOCK_BYTES) {
      bytes *= 2;
    }
    return bytes;
  }

  private static IndexInput copy(IndexInput source, Runnable onClose) throws IOException {
    long length = source.length();
    int blockBytes = blockBytes(length);
    byte[][] blocks = new byte[(int) ((length + blockBytes - 1) / blockBytes)][];
    source.seek(0);
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = new byte[(int) Math.min(blockBytes, length - (long) i * blockBytes)];
      source.readBytes(blocks[i], 0, blocks[i].length);
    }
    return new HeapIndexInput("Resident(" + source + ")", blocks, blockBytes, onClose);
  }
}
