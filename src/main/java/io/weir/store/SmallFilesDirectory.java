package io.weir.store;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.Unit.BYTES;

import io.weir.figure.SourceFigures;
import io.weir.lucene.SegmentFiles;
import io.weir.store.held.HeapIndexInput;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.HeldSegmentInfos;
import io.weir.store.held.ProcessMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.MMapDirectory;

/**
 * A directory that reads small files into memory instead of mapping them. So a reopen, whose new
 * files are all small, need not wait for a merge.
 *
 * <p>Mapping and unmapping a file take a kernel lock of the process. A merge thread in a page fault
 * on a busy disk holds that lock until the disk responds, and other threads that map files wait.
 * Reading a file with {@code pread} does not take the lock. Closing it does not need the JVM's
 * handshake with all threads either.
 *
 * <p>The thread that opens a small file reads it entirely into an array on the heap. Reading it is
 * then as fast as reading a mapped file, and it keeps no descriptor.
 *
 * <p>While a writer has the index, segment infos stay in memory once they are read or written:
 * engines read them at each commit, and refreshes wait for that. See {@link HeldSegmentInfos}.
 *
 * <p>Put it right above an {@code MMapDirectory}, below a {@link WritebackDirectory}. The directory
 * below does everything except opening files: names, locks, pending deletions. This layer does
 * nothing above a directory that does not map files. Nor does it above one that overrides {@code
 * openInput}, such as one that decrypts, unless the caller states where the unchanged files are:
 * the bytes of a file could differ from those of that directory. {@link #reason} says so.
 *
 * <p><b>Threads:</b> as the directory below.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A file's memory is released when
 * the file is closed, that is, with the last reader of its segment.
 *
 * <p>All directories share the memory {@link ResidentMemory#ofSmallFiles}. The directory below
 * opens files that do not fit.
 *
 * <p><b>Failure:</b> exceptions from opening and reading a file. An interrupt during an open makes
 * it fail, as in an {@code MMapDirectory}; later interrupts have no effect.
 */
public final class SmallFilesDirectory extends ForwardingDirectory {

  /** The JDK copies this much through an off-heap buffer that it caches per thread. */
  private static final int CHUNK_BYTES = 16 << 10;

  private final SmallFilesOptions options;
  private final MappedPath mapped;
  private final HeldMemory held;
  private final HeldSegmentInfos infos;
  private final AtomicLong openFiles = new AtomicLong(); // that are held
  private final LongAdder readFiles = new LongAdder();
  private final LongAdder refusedFiles = new LongAdder();

  /** Reads small files of {@code in} into memory, with {@link SmallFilesOptions#DEFAULT}. */
  public SmallFilesDirectory(Directory in) {
    this(Objects.requireNonNull(in, "in"), SmallFilesOptions.DEFAULT);
  }

  /** Reads small files of {@code in} into memory. */
  public SmallFilesDirectory(Directory in, SmallFilesOptions options) {
    this(Objects.requireNonNull(in, "in"), options, ProcessMemory.SMALL_FILES, byte[]::new);
  }

  /**
   * Reads small files of {@code in} into memory, whatever class it has.
   *
   * @param files where the files of {@code in} are; the caller knows that {@code in} reads them
   *     unchanged
   */
  public SmallFilesDirectory(Directory in, SmallFilesOptions options, Path files) {
    this(
        Objects.requireNonNull(in, "in"),
        options,
        MappedPath.known(Objects.requireNonNull(files, "files")),
        ProcessMemory.SMALL_FILES,
        byte[]::new);
  }

  SmallFilesDirectory(
      Directory in,
      SmallFilesOptions options,
      ProcessMemory memory,
      HeldMemory.Allocator allocator) {
    this(in, options, MappedPath.of(in), memory, allocator);
  }

  private SmallFilesDirectory(
      Directory in,
      SmallFilesOptions options,
      MappedPath mapped,
      ProcessMemory memory,
      HeldMemory.Allocator allocator) {
    super(in);
    this.options = Objects.requireNonNull(options, "options");
    this.mapped = options.isOff() ? MappedPath.none("switched off") : mapped;
    this.held = new HeldMemory(options.maxHeldBytes(), memory, allocator);
    this.infos = new HeldSegmentInfos(held);
  }

  /** The options, as given. */
  public SmallFilesOptions options() {
    return options;
  }

  /** Whether small files are read here; if not, the directory below opens all files. */
  public boolean isActive() {
    return mapped.path() != null;
  }

  /** Why small files are read here, or why not. */
  public String reason() {
    return mapped.reason();
  }

  /** The figures now. */
  public Snapshot snapshot() {
    return new Snapshot(
        held.bytes(),
        openFiles.get() + infos.count(),
        readFiles.sum(),
        refusedFiles.sum() + infos.refused());
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (isActive()) {
      byte[] info = infos.get(name);
      if (info != null) {
        return new HeapIndexInput("SegmentInfo(name=\"" + name + "\")", info, () -> {});
      }
      // The directory below knows the files whose deletion is pending.
      long length = in.fileLength(name);
      if (length <= options.maxFileBytes()) {
        byte[] bytes = held.allocate(name, (int) length);
        if (bytes != null) {
          return openSmall(name, bytes);
        }
        refusedFiles.increment();
      }
    }
    return in.openInput(name, context);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    forget(name);
    return isActive() && SegmentFiles.isSegmentInfo(name) ? infos.output(output) : output;
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    try {
      in.copyFrom(from, src, dest, context);
    } finally {
      forget(dest);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    try {
      in.rename(source, dest);
    } finally {
      forget(source);
      forget(dest);
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    try {
      in.deleteFile(name);
    } finally {
      forget(name);
    }
  }

  /** Drops the copy of a file that has changed; afterwards, so that no reader brings it back. */
  private void forget(String name) {
    if (SegmentFiles.isSegmentInfo(name)) {
      infos.remove(name);
    }
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    Lock lock = in.obtainLock(name);
    if (!name.equals(IndexWriter.WRITE_LOCK_NAME)) {
      return lock;
    }
    infos.lock(lock);
    return new Lock() {
      @Override
      public void ensureValid() throws IOException {
        lock.ensureValid();
      }

      @Override
      public void close() throws IOException {
        infos.unlock(lock); // before another writer can change them
        lock.close();
      }

      @Override
      public String toString() {
        return lock.toString();
      }
    };
  }

  @Override
  public void close() throws IOException {
    infos.close();
    in.close();
  }

  private IndexInput openSmall(String name, byte[] bytes) throws IOException {
    openFiles.incrementAndGet();
    boolean opened = false;
    long removals = infos.removals();
    try {
      Path path = mapped.path().resolve(name);
      read(path, bytes);
      IndexInput input =
          new HeapIndexInput("SmallFile(path=\"" + path + "\")", bytes, () -> release(bytes));
      readFiles.increment();
      if (SegmentFiles.isSegmentInfo(name)) {
        infos.addRead(name, bytes, removals);
      }
      opened = true;
      return input;
    } finally {
      if (!opened) {
        release(bytes);
      }
    }
  }

  private void release(byte[] bytes) {
    openFiles.decrementAndGet();
    held.release(bytes.length);
  }

  private static void read(Path path, byte[] into) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(into);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (bytes.position() < into.length) {
        bytes.limit(Math.min(into.length, bytes.position() + CHUNK_BYTES));
        if (channel.read(bytes, bytes.position()) < 0) {
          throw new EOFException(
              path
                  + " must have "
                  + into.length
                  + " bytes, its reported length, but ends after "
                  + bytes.position());
        }
      }
    }
  }

  /**
   * The path of a directory whose files are mapped unchanged.
   *
   * <p>A wrapper or subclass that overrides {@code openInput} may change the bytes, for example
   * decrypt them. Then the file's bytes are not those of the directory. This class detects such
   * overrides.
   *
   * @param path null if there is none
   * @param reason a sentence that explains why there is a path, or none
   */
  private record MappedPath(Path path, String reason) {

    /** The path of the directory at the bottom of {@code in}. */
    static MappedPath of(Directory in) {
      Directory directory = in;
      while (directory instanceof FilterDirectory filter) {
        if (opensBy(filter) != FilterDirectory.class) {
          return none(filter.getClass().getSimpleName() + " overrides openInput");
        }
        directory = filter.getDelegate();
      }
      if (!(directory instanceof MMapDirectory files)) {
        return none(directory.getClass().getSimpleName() + " maps no files");
      }
      if (opensBy(files) != MMapDirectory.class) {
        return none(files.getClass().getName() + " overrides openInput");
      }
      return new MappedPath(files.getDirectory(), "MMapDirectory would map them");
    }

    /** A path that the creator of the directory states. */
    static MappedPath known(Path path) {
      return new MappedPath(
          Objects.requireNonNull(path, "path"), "the files are known to be read unchanged");
    }

    static MappedPath none(String reason) {
      return new MappedPath(null, reason);
    }

    private static Class<?> opensBy(Directory directory) {
      try {
        return directory
            .getClass()
            .getMethod("openInput", String.class, IOContext.class)
            .getDeclaringClass();
      } catch (NoSuchMethodException e) {
        throw new AssertionError("every directory opens files", e);
      }
    }
  }

  /**
   * The figures of a {@link SmallFilesDirectory} at one moment.
   *
   * @param heldBytes heap of the open small files, and of the segment infos that are kept
   * @param heldFiles number of these files
   * @param readFiles files that were read into memory so far
   * @param refusedFiles small files that the directory below opened, because there was no room
   */
  public record Snapshot(long heldBytes, long heldFiles, long readFiles, long refusedFiles) {

    /** What is shown of the small files of an index. */
    public static final SourceFigures<Snapshot> FIGURES =
        SourceFigures.of(
            "lucene.files.small",
            level(
                "held",
                BYTES,
                "Small files held in memory instead of mapped",
                Snapshot::heldBytes));
  }
}
