package io.weir.fakes;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Counts the bytes read from it, by file, through clones and slices as well; a file inside a
 * compound file by its own name.
 */
public final class ReadCountingDirectory extends FilterDirectory {

  private final Map<String, AtomicLong> bytesByFile = new ConcurrentHashMap<>();

  public ReadCountingDirectory(Directory in) {
    super(in);
  }

  /** Bytes read since the last {@link #forget}, by file. */
  public Map<String, Long> bytesByFile() {
    Map<String, Long> copy = new TreeMap<>();
    bytesByFile.forEach((name, count) -> copy.put(name, count.get()));
    return copy;
  }

  /** Starts to count again. */
  public void forget() {
    bytesByFile.clear();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new Counting(name, in.openInput(name, context));
  }

  private final class Counting extends FilterIndexInput {

    private final String name;

    Counting(String name, IndexInput in) {
      super("Counting(" + in + ")", in);
      this.name = name;
    }

    @Override
    public byte readByte() throws IOException {
      add(1);
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      add(length);
      in.readBytes(bytes, offset, length);
    }

    @Override
    public IndexInput clone() {
      return new Counting(name, in.clone());
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      boolean fileInside = name.endsWith(".cfs") && description.startsWith("_");
      return new Counting(fileInside ? description : name, in.slice(description, offset, length));
    }

    private void add(long count) {
      bytesByFile.computeIfAbsent(name, n -> new AtomicLong()).addAndGet(count);
    }
  }
}
