package io.weir.fakes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;

/**
 * A directory in memory, on a disk that promises what POSIX does and no more. The bytes of a file
 * survive a power cut once a sync of the file has ended. A name that was created, renamed or
 * deleted survives once a sync of the folder has ended that began later. What else survives is
 * chance: a file system may write some changes of names and not others, in any order.
 *
 * <p><b>Threads:</b> any. The hook is asked without a lock.
 */
public final class PosixDirectory extends BaseDirectory {

  /** What is about to be done. A sync asks twice: it counts for what was there at the first. */
  public enum Step {
    CREATE,
    SYNC,
    END_OF_SYNC,
    SYNC_FOLDER,
    END_OF_SYNC_FOLDER,
    RENAME,
    DELETE
  }

  /** Asked on the thread that calls, before; what it throws is thrown by the call. */
  @FunctionalInterface
  public interface Hook {
    void at(Step step, String name) throws IOException;
  }

  /**
   * A change of names that no sync of the folder has made durable.
   *
   * @param step one of create, rename and delete
   * @param name the name that appears, or is deleted
   * @param source the name that a rename takes away; otherwise empty
   */
  public record Change(Step step, String name, String source) {}

  private record Unsynced(long number, Change change, File file) {}

  private static final class File {
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING; // guarded by the directory, as below
    private byte[] durable = NOTHING;
  }

  private static final String FOLDER = ".";

  private final Hook hook;
  private final AtomicInteger temporaries = new AtomicInteger();

  // Guarded by this.
  private final Map<String, File> names = new TreeMap<>();
  private final Map<String, File> durable = new TreeMap<>();
  private final List<Unsynced> unsynced = new ArrayList<>();
  private long changes;

  public PosixDirectory(Hook hook) {
    super(new SingleInstanceLockFactory());
    this.hook = hook;
  }

  /**
   * The files that a power cut leaves now, if it takes all changes of names that may be lost but
   * the chosen ones. A file that was not synced is empty. Equal only if the files are the same.
   */
  public synchronized Map<String, byte[]> afterPowerCut(Predicate<Change> survives) {
    Map<String, File> left = new TreeMap<>(durable);
    unsynced.stream().filter(u -> survives.test(u.change())).forEach(u -> apply(u, left));
    Map<String, byte[]> bytes = new TreeMap<>();
    left.forEach((name, file) -> bytes.put(name, file.durable));
    return bytes;
  }

  /** Whether a power cut may take a change of names like this. */
  public synchronized boolean mayLose(Predicate<Change> change) {
    return unsynced.stream().map(Unsynced::change).anyMatch(change);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    hook.at(Step.CREATE, name);
    File file = new File();
    synchronized (this) {
      ensureOpen();
      if (names.containsKey(name)) {
        throw new FileAlreadyExistsException(name);
      }
      change(new Change(Step.CREATE, name, ""), file);
    }
    return new ByteBuffersIndexOutput(
        new ByteBuffersDataOutput(), name, name, new CRC32(), data -> fill(file, data));
  }

  private synchronized void fill(File file, ByteBuffersDataOutput data) {
    file.bytes = data.toArrayCopy();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    String number = suffix + "_" + temporaries.getAndIncrement();
    return createOutput(IndexFileNames.segmentFileName(prefix, number, "tmp"), context);
  }

  @Override
  public void sync(Collection<String> files) throws IOException {
    for (String name : files) {
      hook.at(Step.SYNC, name);
      File file;
      byte[] bytes;
      synchronized (this) {
        file = file(name);
        bytes = file.bytes;
      }
      hook.at(Step.END_OF_SYNC, name);
      synchronized (this) {
        file.durable = bytes;
      }
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    hook.at(Step.SYNC_FOLDER, FOLDER);
    long upTo;
    synchronized (this) {
      upTo = changes;
    }
    hook.at(Step.END_OF_SYNC_FOLDER, FOLDER);
    synchronized (this) {
      while (!unsynced.isEmpty() && unsynced.getFirst().number() <= upTo) {
        apply(unsynced.removeFirst(), durable);
      }
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    hook.at(Step.RENAME, dest);
    synchronized (this) {
      change(new Change(Step.RENAME, dest, source), file(source));
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    hook.at(Step.DELETE, name);
    synchronized (this) {
      change(new Change(Step.DELETE, name, ""), file(name));
    }
  }

  private void change(Change change, File file) {
    changes++;
    Unsynced made = new Unsynced(changes, change, file);
    unsynced.add(made);
    apply(made, names);
  }

  private static void apply(Unsynced made, Map<String, File> to) {
    Change change = made.change();
    switch (change.step()) {
      case CREATE -> to.put(change.name(), made.file());
      case DELETE -> to.remove(change.name(), made.file());
      case RENAME -> {
        to.remove(change.source(), made.file());
        to.put(change.name(), made.file());
      }
      default -> throw new IllegalArgumentException(change.toString());
    }
  }

  private File file(String name) throws NoSuchFileException {
    ensureOpen();
    File file = names.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  @Override
  public synchronized String[] listAll() {
    return names.keySet().toArray(String[]::new);
  }

  @Override
  public synchronized long fileLength(String name) throws IOException {
    return file(name).bytes.length;
  }

  @Override
  public synchronized IndexInput openInput(String name, IOContext context) throws IOException {
    return new ByteBuffersIndexInput(
        new ByteBuffersDataInput(List.of(ByteBuffer.wrap(file(name).bytes))), name);
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {
    isOpen = false;
  }
}
