package io.weir.fakes;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Counts the bytes that reach it, by file, whatever context or thread they come with. */
public final class CountingDirectory extends FilterDirectory {

  private final Map<String, AtomicLong> bytesByFile = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();

  public CountingDirectory(Directory in) {
    super(in);
  }

  /** All bytes written so far. */
  public long bytes() {
    return bytes.get();
  }

  /** The bytes written so far to each file, deleted files included. */
  public Map<String, Long> bytesByFile() {
    Map<String, Long> copy = new TreeMap<>();
    bytesByFile.forEach((name, count) -> copy.put(name, count.get()));
    return copy;
  }

  /** The bytes written so far to files whose name ends so, deleted files included. */
  public long bytesOfFilesEnding(String ending) {
    return bytesByFile.entrySet().stream()
        .filter(e -> e.getKey().endsWith(ending))
        .mapToLong(e -> e.getValue().get())
        .sum();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return counted(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return counted(in.createTempOutput(prefix, suffix, context));
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    in.copyFrom(from, src, dest, context);
    add(dest, in.fileLength(dest));
  }

  private void add(String name, long count) {
    bytesByFile.computeIfAbsent(name, n -> new AtomicLong()).addAndGet(count);
    bytes.addAndGet(count);
  }

  private IndexOutput counted(IndexOutput output) {
    return new FilterIndexOutput("Counting(" + output + ")", output.getName(), output) {
      @Override
      public void writeByte(byte b) throws IOException {
        out.writeByte(b);
        add(getName(), 1);
      }

      @Override
      public void writeBytes(byte[] b, int offset, int length) throws IOException {
        out.writeBytes(b, offset, length);
        add(getName(), length);
      }
    };
  }
}
