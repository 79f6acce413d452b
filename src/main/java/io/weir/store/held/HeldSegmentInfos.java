package io.weir.store.held;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * The segment infos, {@code .si} files of some hundred bytes, that were read or written while a
 * writer has the index. Until it gives up its lock, only it can delete or replace them.
 *
 * <p>Elasticsearch and OpenSearch read those of all segments at each commit, in {@code
 * CombinedDeletionPolicy.onCommit}. {@code IndexWriter.finishCommit} calls it while it holds the
 * writer's monitor, so refreshes wait for each file that the page cache no longer has. A merge that
 * reads gigabytes pushes out even files that were written seconds ago.
 *
 * <p><b>Threads:</b> any; nothing blocks on the disk.
 */
public final class HeldSegmentInfos {

  private final HeldMemory memory;
  private final LongAdder refused = new LongAdder();
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private Object writer; // null if there is none; guarded by this, as below
  private long removals;

  /** None yet, within this memory. */
  public HeldSegmentInfos(HeldMemory memory) {
    this.memory = memory;
  }

  /** This writer has the index from now on. */
  public synchronized void lock(Object newWriter) {
    writer = newWriter;
  }

  /** This writer no longer has the index; no effect on the infos of a later one. */
  public synchronized void unlock(Object oldWriter) {
    if (writer == oldWriter) {
      close();
    }
  }

  /** The directory is closed. */
  public synchronized void close() {
    writer = null;
    files.keySet().forEach(this::remove);
  }

  /** How many are held. */
  public int count() {
    return files.size();
  }

  /** How many had no room so far. */
  public long refused() {
    return refused.sum();
  }

  /** The bytes of a file; null if they are not held. */
  public byte[] get(String name) {
    return files.get(name);
  }

  /** How many files were deleted or replaced so far, for {@link #addRead}. */
  public synchronized long removals() {
    return removals;
  }

  /** Holds a file that was read, unless one was deleted or replaced meanwhile: it may be this. */
  public synchronized void addRead(String name, byte[] bytes, long removalsBefore) {
    if (removals == removalsBefore) {
      add(name, bytes);
    }
  }

  /** An output of such a file, which holds it once it is written. Closes {@code output}. */
  public IndexOutput output(IndexOutput output) {
    return new CopiedOutput(output);
  }

  private synchronized void add(String name, byte[] bytes) {
    if (writer == null || files.containsKey(name)) {
      return;
    }
    if (memory.reserve(name, bytes.length)) {
      files.put(name, bytes);
    } else {
      refused.increment();
    }
  }

  /** Forgets a file that was deleted or replaced. */
  public synchronized void remove(String name) {
    removals++;
    byte[] bytes = files.remove(name);
    if (bytes != null) {
      memory.release(bytes.length);
    }
  }

  /**
   * Keeps a copy of what it writes, and holds it when the file is closed. After a failed write or
   * close there is no copy.
   *
   * <p><b>Threads:</b> one at a time, as any output. <b>Ownership:</b> closes the output below.
   */
  private final class CopiedOutput extends FilterIndexOutput {

    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean closed;

    CopiedOutput(IndexOutput out) {
      super("CopiedIndexOutput(" + out + ")", out.getName(), out);
    }

    @Override
    public void writeByte(byte b) throws IOException {
      out.writeByte(b);
      copy.write(b);
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      out.writeBytes(b, offset, length);
      copy.write(b, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      long written = out.getFilePointer();
      out.close();
      if (written == copy.size()) {
        add(getName(), copy.toByteArray());
      }
    }
  }
}
