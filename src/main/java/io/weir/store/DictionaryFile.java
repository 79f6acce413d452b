package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOSupplier;

/**
 * One of the two files of a terms dictionary, and how to read it.
 *
 * @param name of the file, inside a compound file or not
 * @param length in bytes
 * @param opened what Lucene has been given to read; null for a segment that is not open yet
 * @param reader opens the file to read it once, on the calling thread, which closes it
 */
record DictionaryFile(String name, long length, IndexInput opened, IOSupplier<IndexInput> reader) {

  /** The codec's name, the segment's random id; shorter than the header of any file of terms. */
  private static final int HEAD_BYTES = 40;

  /** The checksum. */
  private static final int TAIL_BYTES = 16;

  /** Whether a {@link SmallFilesDirectory} below has read it into memory already. */
  boolean isOnHeap() {
    return opened instanceof HeapIndexInput;
  }

  /** What it takes to hold it. */
  long heapBytes() {
    return isOnHeap() ? 0 : length;
  }

  /**
   * Refuses a copy of another file, which had the name before or after this one.
   *
   * <p>The names of segments are used again after a rollback. Two files with the same id of the
   * segment and the same checksum are one.
   */
  void requireSame(IndexInput copy) throws IOException {
    if (copy.length() != length
        || !same(copy, 0, Math.min(length, HEAD_BYTES))
        || !same(copy, Math.max(0, length - TAIL_BYTES), Math.min(length, TAIL_BYTES))) {
      throw new IOException(name + " is another file now than the one that was opened");
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
