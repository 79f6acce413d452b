package io.weir.stress.arm.storage;

import io.weir.stress.setting.MergeWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.SingleInstanceLockFactory;

/**
 * An index held in RAM, on the Java heap: a copy of one on disk, in Lucene's {@code
 * ByteBuffersDirectory}. What is written to it stays there, and is gone when it is closed.
 */
public final class HeapIndex {

  /**
   * An index and the merge of all of it, what updates and small merges add, and what a collector
   * needs to move. An index of 386 MB was merged in a heap of 1195 MB by G1 and by the serial
   * collector; in one of 1117 MB, with larger blocks, both ran out of memory.
   */
  private static final double WITH_MERGE = 2.5;

  /** Without a large merge: what updates and small merges add. A guess. */
  private static final double WITHOUT_MERGE = 1.5;

  /** For everything else of an arm: documents in memory, dictionaries of ids, readers, samples. */
  private static final long WORKING_BYTES = 256L << 20;

  /** Some collectors leave a part of the heap they were given out of what Java calls its size. */
  private static final double USABLE_HEAP = 0.9;

  private static final int LEAST_BLOCK_BITS = 10;

  /**
   * Blocks of at most 32 KiB: Lucene's grow with the file to a hundredth of it, and G1 rounds an
   * array of half a region or more (512 KiB in a heap of up to 2 GB) up to whole regions, so that
   * an index would take twice its size. An array has a header, so of smaller blocks more of a
   * region is used: 31 of 32.
   */
  private static final int MOST_BLOCK_BITS = 15;

  private HeapIndex() {}

  /** The heap that an arm needs for an index of {@code indexBytes}. */
  public static long neededHeapBytes(long indexBytes, MergeWorkload merge) {
    double factor = merge == MergeWorkload.NONE ? WITHOUT_MERGE : WITH_MERGE;
    return WORKING_BYTES + (long) (indexBytes * factor);
  }

  /** Why a heap of {@code heapBytes} is too small, and which size would do. */
  public static String refusal(long indexBytes, MergeWorkload merge, long heapBytes) {
    long neededBytes = neededHeapBytes(indexBytes, merge);
    return String.format(
        Locale.ROOT,
        "directory=heap needs a heap of %d MB for an index of %.1f MB%s, this one has %d MB:"
            + " jvm-args=-Xmx%dm would do",
        megabytes(neededBytes),
        indexBytes / 1e6,
        merge == MergeWorkload.NONE ? "" : " and a merge of all of it",
        megabytes(heapBytes),
        (neededBytes >> 20) + 1);
  }

  /**
   * A copy of the index at {@code index}.
   *
   * @throws IOException also when the heap of this JVM is too small for it
   */
  static Directory copyOf(Path index, MergeWorkload merge) throws IOException {
    try (Directory files = FSDirectory.open(index)) {
      long indexBytes = 0;
      for (String file : files.listAll()) {
        indexBytes += files.fileLength(file);
      }
      long heapBytes = Runtime.getRuntime().maxMemory();
      if (heapBytes < USABLE_HEAP * neededHeapBytes(indexBytes, merge)) {
        throw new IOException(refusal(indexBytes, merge, heapBytes));
      }
      return copyOf(files);
    }
  }

  private static Directory copyOf(Directory files) throws IOException {
    Directory heap =
        new ByteBuffersDirectory(
            new SingleInstanceLockFactory(),
            () ->
                new ByteBuffersDataOutput(
                    LEAST_BLOCK_BITS,
                    MOST_BLOCK_BITS,
                    ByteBuffersDataOutput.ALLOCATE_BB_ON_HEAP,
                    ByteBuffersDataOutput.NO_REUSE),
            ByteBuffersDirectory.OUTPUT_AS_MANY_BUFFERS);
    try {
      for (String file : files.listAll()) {
        if (!file.equals(IndexWriter.WRITE_LOCK_NAME)) {
          heap.copyFrom(files, file, file, IOContext.READONCE);
        }
      }
      return heap;
    } catch (Throwable t) {
      try (heap) {
        throw t;
      }
    }
  }

  private static long megabytes(long bytes) {
    return bytes / 1_000_000;
  }
}
