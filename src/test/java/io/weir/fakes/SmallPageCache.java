package io.weir.fakes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory with a page cache that is smaller than its files, and keeps the pages that were read
 * last. It counts the bytes of some files that a disk below would have to read.
 *
 * <p><b>Threads:</b> any. What is written is not cached.
 */
public final class SmallPageCache extends FilterDirectory {

  private static final int PAGE_BYTES = 4096;

  private static final int MAX_PAGES_PER_FILE = 1 << 20;

  /** Numbers of pages, over all files. */
  private final Map<Integer, Boolean> cached; // guarded by this

  private volatile Set<String> counted = Set.of();
  private final Map<String, Long> readBytes = new TreeMap<>(); // guarded by this

  /** Keeps so many bytes of what is read of {@code in}. */
  public SmallPageCache(Directory in, int bytes) {
    super(in);
    this.cached =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > bytes / PAGE_BYTES;
          }
        };
  }

  /** Bytes that the disk has read of the counted files, by file. */
  public synchronized Map<String, Long> readBytes() {
    return Map.copyOf(readBytes);
  }

  /** Counts what is read of these files, as they are opened from now on. */
  public void count(Set<String> files) {
    counted = Set.copyOf(files);
  }

  private synchronized void read(String file, int firstPage, int lastPage) {
    int number = new ArrayList<>(counted).indexOf(file) * MAX_PAGES_PER_FILE;
    for (int page = firstPage; page <= lastPage; page++) {
      if (cached.put(number + page, true) == null) {
        readBytes.merge(file, (long) PAGE_BYTES, Long::sum);
      }
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    return counted.contains(name) ? new Input(name, 0, input) : input;
  }

  private final class Input extends FilterIndexInput {

    private final String file;
    private final long start;
    private int lastPage = -1;

    Input(String file, long start, IndexInput in) {
      super(in.toString(), in);
      this.file = file;
      this.start = start;
    }

    @Override
    public byte readByte() throws IOException {
      reads(Byte.BYTES);
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      reads(length);
      in.readBytes(bytes, offset, length);
    }

    private void reads(int count) {
      long from = start + in.getFilePointer();
      int first = (int) (from / PAGE_BYTES);
      int last = (int) ((from + count - 1) / PAGE_BYTES);
      if (count > 0 && (first != lastPage || last != lastPage)) { // what follows is in memory
        read(file, first, last);
        lastPage = last;
      }
    }

    @Override
    public IndexInput clone() {
      return new Input(file, start, in.clone());
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return new Input(file, start + offset, in.slice(description, offset, length));
    }
  }
}
