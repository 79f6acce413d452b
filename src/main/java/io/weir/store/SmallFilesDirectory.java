package io.weir.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory that reads small files into memory when they are opened, where the one below would
 * map them: so that a reopen, whose new files are all small, need not wait for a merge.
 *
 * <p>To map a file or to take its mapping away needs a lock that the kernel has one of for each
 * process. A merge thread that faults a page in from a busy disk holds it until the disk answers,
 * and whoever maps meanwhile waits. A file that is read by {@code pread} needs neither that lock
 * nor, when it is closed, the agreement of all threads, which unmapping asks of the JVM.
 *
 * <p>A small file is read whole, once, by the thread that opens it; from then on it is an array on
 * the heap. It is as fast to read as a mapped one and keeps no descriptor.
 *
 * <p>Put it right above an {@code MMapDirectory}, below a {@link WritebackDirectory}. Everything
 * but opening a file is left to the directory below: names, locks, files whose deletion is pending.
 * It does nothing, and says so in {@link #reason}, over a directory that does not map, and wherever
 * reading the file by its path could show other bytes than the directory below: over one that
 * overrides {@code openInput}, such as one that decrypts.
 *
 * <p><b>Threads:</b> as the directory below.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A file's memory is given back when
 * the file is closed, which for a segment's files Lucene does with its last reader.
 *
 * <p>All directories share the memory {@link ResidentMemory#ofSmallFiles}. What finds no room in
 * it, or no heap, is opened by the directory below.
 *
 * <p><b>Failure:</b> what opening and reading a file throws. An interrupt while a file is opened
 * fails that, as it does in an {@code MMapDirectory}; later ones do nothing.
 */
public final class SmallFilesDirectory extends ForwardingDirectory {

  /** What the JDK copies through a buffer outside of the heap that it keeps for each thread. */
  private static final int CHUNK_BYTES = 16 << 10;

  private final SmallFilesOptions options;
  private final MappedPath mapped;
  private final SmallFilesMemory ledger;
  private final HeapCopy.Allocator allocator;

  /** Reads small files of {@code in} into memory, with {@link SmallFilesOptions#DEFAULT}. */
  public SmallFilesDirectory(Directory in) {
    this(in, SmallFilesOptions.DEFAULT);
  }

  /** Reads small files of {@code in} into memory. */
  public SmallFilesDirectory(Directory in, SmallFilesOptions options) {
    this(in, options, ResidentMemory.ofSmallFiles(), byte[]::new);
  }

  SmallFilesDirectory(
      Directory in,
      SmallFilesOptions options,
      ResidentMemory memory,
      HeapCopy.Allocator allocator) {
    super(in);
    this.allocator = allocator;
    this.options = Objects.requireNonNull(options, "options");
    this.mapped = options.isOff() ? MappedPath.none("switched off") : MappedPath.of(in);
    this.ledger = new SmallFilesMemory(options.maxHeldBytes(), memory);
  }

  /** As given. */
  public SmallFilesOptions options() {
    return options;
  }

  /** Whether small files are read here; if not, all files are opened by the directory below. */
  public boolean isActive() {
    return mapped.path() != null;
  }

  /** Why they are read, or why not, in words. */
  public String reason() {
    return mapped.reason();
  }

  /** What is held now, and what was done so far. */
  public SmallFilesSnapshot snapshot() {
    return ledger.snapshot();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (isActive()) {
      // Asked of the directory below, which knows what is as good as deleted.
      long length = in.fileLength(name);
      if (length <= options.maxFileBytes() && ledger.reserve(name, length)) {
        byte[] bytes = allocate((int) length);
        if (bytes != null) {
          return openSmall(name, bytes);
        }
        ledger.refused(length);
      }
    }
    return in.openInput(name, context);
  }

  /** Null when there is no heap: then it is better mapped, by the directory below. */
  private byte[] allocate(int length) {
    try {
      return allocator.allocate(length);
    } catch (OutOfMemoryError e) {
      return null; // counted as refused
    }
  }

  private IndexInput openSmall(String name, byte[] bytes) throws IOException {
    boolean opened = false;
    try {
      Path path = mapped.path().resolve(name);
      read(path, bytes);
      IndexInput input =
          new HeapIndexInput(
              "SmallFile(path=\"" + path + "\")", bytes, () -> ledger.release(bytes.length));
      ledger.read();
      opened = true;
      return input;
    } finally {
      if (!opened) {
        ledger.release(bytes.length);
      }
    }
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
                  + " bytes, as it was said to: "
                  + bytes.position());
        }
      }
    }
  }
}
