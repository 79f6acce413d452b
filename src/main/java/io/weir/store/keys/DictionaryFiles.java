package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.store.held.HeapIndexInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOSupplier;

/**
 * The files that are loaded together: the blocks of a terms dictionary with their index, or a
 * filter.
 *
 * @param blocks of the dictionary, or the filter
 * @param index of the blocks; a filter has none
 */
public record DictionaryFiles(File blocks, Optional<File> index) {

  /** Read in a few milliseconds. */
  private static final long SHORT_BYTES = 1 << 20;

  /** How many files these are. */
  int count() {
    return index.isPresent() ? 2 : 1;
  }

  /** The length of the files in bytes; perhaps only a part of it is held. */
  long bytes() {
    return blocks.length() + index.map(File::length).orElse(0L);
  }

  /** Whether it takes no long time to load them: they are short, and nothing is to be found out. */
  boolean areShort() {
    return bytes() <= SHORT_BYTES && blocks.isWhole();
  }

  /**
   * One of the files that lookups of terms read, and how to read it.
   *
   * @param name of the file, inside a compound file or not
   * @param length in bytes
   * @param opened the input that Lucene reads; null for a segment that is not open yet
   * @param reader opens the file for one read by the calling thread, which closes it
   * @param parts finds what to hold of it
   */
  public record File(
      String name, long length, IndexInput opened, IOSupplier<IndexInput> reader, Parts parts) {

    /**
     * Covers the codec's name and the segment's random id; shorter than any terms file's header.
     */
    private static final int HEAD_BYTES = 40;

    /** The checksum. */
    private static final int TAIL_BYTES = 16;

    /**
     * Whether a {@link io.weir.store.SmallFilesDirectory} below already holds the file in memory.
     */
    boolean isOnHeap() {
      return opened instanceof HeapIndexInput;
    }

    /** The heap needed to hold so many bytes of the file. */
    long heapBytes(long heldBytes) {
      return isOnHeap() ? 0 : heldBytes;
    }

    /** Whether all of it is held, or nothing. */
    boolean isWhole() {
      return parts == Parts.WHOLE || isOnHeap();
    }

    /** What to hold, without gaps: the parts, and both ends, which tell this file from others. */
    List<FileRange> ranges() throws IOException {
      if (isWhole()) {
        return List.of(FileRange.ofFile(length));
      }
      long headEnd = Math.min(length, HEAD_BYTES);
      long tailStart = Math.max(headEnd, length - TAIL_BYTES);
      List<FileRange> ranges = new ArrayList<>(List.of(new FileRange(0, headEnd)));
      for (FileRange part : parts.find()) {
        long start = Math.max(headEnd, part.start());
        long end = Math.min(tailStart, part.end());
        if (start < end) {
          ranges.add(new FileRange(start, end));
        }
      }
      ranges.add(new FileRange(tailStart, length));
      return ranges;
    }

    /**
     * Refuses a copy of a different file that had the same name earlier or later.
     *
     * <p>Lucene reuses segment names after a rollback. Two files with the same segment id and the
     * same checksum are the same.
     */
    void requireSame(IndexInput copy) throws IOException {
      if (copy.length() != length
          || !same(copy, 0, Math.min(length, HEAD_BYTES))
          || !same(copy, Math.max(0, length - TAIL_BYTES), Math.min(length, TAIL_BYTES))) {
        throw new IOException(name + " is no longer the file that was opened");
      }
    }

    private boolean same(IndexInput copy, long offset, long count) throws IOException {
      IndexInput ours = opened.clone();
      IndexInput theirs = copy.clone();
      ours.seek(offset);
      theirs.seek(offset);
      for (long i = 0; i < count; i++) {
        if (ours.readByte() != theirs.readByte()) {
          return false;
        }
      }
      return true;
    }
  }

  /** What to hold of a file. */
  @FunctionalInterface
  public interface Parts {

    /** All of it. */
    Parts WHOLE = () -> List.of();

    /** Ranges, ascending and apart. */
    List<FileRange> find() throws IOException;

    /** Those that {@code search} finds, once; after a failure it searches again. */
    static Parts foundOnce(IOSupplier<List<FileRange>> search) {
      return new FoundOnce(search);
    }
  }

  /** <b>Threads:</b> one at a time. */
  private static final class FoundOnce implements Parts {

    private final IOSupplier<List<FileRange>> search;
    private volatile List<FileRange> found;

    FoundOnce(IOSupplier<List<FileRange>> search) {
      this.search = search;
    }

    @Override
    public List<FileRange> find() throws IOException {
      if (found == null) {
        found = search.get();
      }
      return found;
    }
  }
}
