package io.weir.store;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.store.held.FlushedFile;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.ProcessMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory that keeps the files of flushes in memory until a commit needs them on the disk. So a
 * reopen creates and deletes no files, and need not wait for a disk that a merge keeps busy.
 *
 * <p>A flush creates up to thirty files, and deletes most of them as soon as they are in a compound
 * file. A natural merge soon deletes the rest. All that takes the lock of the index's folder, which
 * a thread that deletes a large merged file holds for as long as the disk needs. Most of these
 * files never exist on the disk here.
 *
 * <p>Held are files with a context of {@code FLUSH}: those of new segments, and of updates of
 * doc-values. Merges, temporary files, copies of {@code addIndexes} and commit points go to the
 * directory below at once. A file that becomes longer than {@link
 * FlushedFilesOptions#maxFileBytes}, or for which there is no room, goes there while it is written.
 *
 * <p><b>Durability:</b> {@link #sync} first writes the named files to the directory below, a few
 * megabytes at a time. {@link #rename} first writes the file that it renames. Files that no sync
 * has named are lost when the process ends or the directory is closed; other directories lose them
 * only when the machine stops. No commit of Lucene refers to such files. A failed write to the disk
 * leaves the file in memory, so that the call can be repeated.
 *
 * <p>A commit syncs the folder before it syncs its files, so that their names are on the disk when
 * it renames its list of segments. Held files have no names there until they are synced. So before
 * that renaming the folder is synced again if a file that was held has been created since the last
 * sync of the folder began. A {@link DeferredSyncDirectory} above makes that unnecessary.
 *
 * <p>Put it above the layers that work on the files of the disk, such as a {@link
 * WritebackDirectory}, and below those that must see every file: a {@link RateLimitedDirectory} and
 * a {@link ResidentDirectory}. Unlike Lucene's {@code NRTCachingDirectory} it never holds what a
 * merge writes, and its memory has a limit for the process, {@link ResidentMemory#ofFlushedFiles}.
 *
 * <p><b>Threads:</b> as the directory below. <b>Ownership:</b> closing this closes the directory
 * below. The memory of a file is released when the file is on the disk or deleted, and its last
 * reader is closed.
 *
 * <p><b>Failure:</b> exceptions of the directory below, at the latest in {@link #sync}. A full disk
 * is then noticed by the commit and not by the flush.
 *
 * <p>Source: {@code IndexWriter.flush} and {@code sealFlushedSegment} of {@code
 * DocumentsWriterPerThread} in Lucene 10.5.1; {@code vfs_unlink} in Linux 6.1.
 */
public final class FlushedFilesDirectory extends ForwardingDirectory {

  /** More than a flush can have in Lucene, whose threads flush at 2 GiB. */
  private static final long NO_FLUSH_BYTES = 2L << 30;

  /** A sync writes so much before it waits for the disk: all at once would be a burst. */
  private static final long SYNC_BYTES = 4 << 20;

  private final FlushedFilesOptions options;
  private final HeldMemory memory;
  private final Map<String, FlushedFile> held = new ConcurrentHashMap<>();

  /** Names that are on the disk, as far as this directory knows. */
  private final Set<String> below = ConcurrentHashMap.newKeySet();

  /** Whether {@link #below} has the files that were there before. */
  private volatile boolean listed;

  /** How many names of held files the disk has got; each is counted when it is there. */
  private final AtomicLong namesBelow = new AtomicLong();

  /** So many of these a sync of the folder has included. */
  private final AtomicLong namesSynced = new AtomicLong();

  // Files: see Snapshot.
  private final LongAdder written = new LongAdder();
  private final LongAdder spilled = new LongAdder();
  private final LongAdder unwritten = new LongAdder();

  private volatile boolean closed;

  /** Holds files of flushes to {@code in}, with {@link FlushedFilesOptions#DEFAULT}. */
  public FlushedFilesDirectory(Directory in) {
    this(in, FlushedFilesOptions.DEFAULT);
  }

  /** Holds files of flushes to {@code in}. */
  public FlushedFilesDirectory(Directory in, FlushedFilesOptions options) {
    this(in, options, ProcessMemory.FLUSHED_FILES, byte[]::new);
  }

  FlushedFilesDirectory(
      Directory in,
      FlushedFilesOptions options,
      ProcessMemory memory,
      HeldMemory.Allocator allocator) {
    super(in);
    this.options = Objects.requireNonNull(options, "options");
    this.memory = new HeldMemory(options.maxHeldBytes(), memory, allocator);
  }

  /** The options, as given. */
  public FlushedFilesOptions options() {
    return options;
  }

  /** The figures now. */
  public Snapshot snapshot() {
    return new Snapshot(memory.bytes(), held.size(), written.sum(), spilled.sum(), unwritten.sum());
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (isHeld(new FileStory(name, context))) {
      byte[] first = memory.allocate(name, FlushedFile.BLOCK_BYTES);
      if (first != null) {
        return held(name, context, first);
      }
      spilled.increment();
    }
    requireNotHeld(name);
    IndexOutput output = in.createOutput(name, context);
    known(name);
    return output;
  }

  /**
   * Whether it is a flush. Copies of {@code addIndexes}, which a directory above may split, belong
   * to a merge. Solr says that a file must not be held by a flush that is larger than any.
   */
  private boolean isHeld(FileStory file) {
    return !options.isOff()
        && OpenHints.flushBytes(file.context()).orElse(Long.MAX_VALUE) < NO_FLUSH_BYTES
        && file.birth() == FileStory.Birth.FLUSH;
  }

  private IndexOutput held(String name, IOContext context, byte[] first) throws IOException {
    boolean added = false;
    try {
      requireNotBelow(name);
      FlushedFile file = new FlushedFile(name, context, memory);
      IndexOutput output =
          new FlushedFile.Output(file, new Below(), memory, options.maxFileBytes(), first);
      if (held.putIfAbsent(name, file) != null) {
        throw new FileAlreadyExistsException(name);
      }
      if (closed && drop(file)) {
        throw new AlreadyClosedException("this directory is closed: " + in);
      }
      added = true;
      return output;
    } finally {
      if (!added) {
        memory.release(first.length);
      }
    }
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    known(output.getName());
    return output;
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    requireNotHeld(dest);
    in.copyFrom(from, src, dest, context);
    known(dest);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    FlushedFile file = held.get(name);
    IndexInput input = file == null ? null : file.open();
    return input == null ? in.openInput(name, context) : input;
  }

  @Override
  public long fileLength(String name) throws IOException {
    FlushedFile file = held.get(name);
    return file == null ? in.fileLength(name) : file.length();
  }

  @Override
  public String[] listAll() throws IOException {
    // The names in memory first: a file that goes to the disk meanwhile is in at least one list.
    TreeSet<String> names = new TreeSet<>(held.keySet());
    Collections.addAll(names, in.listAll());
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    FlushedFile file = held.get(name);
    if (file == null || !drop(file)) {
      in.deleteFile(name);
      below.remove(name);
    } else {
      unwritten.increment();
    }
  }

  /** Forgets a file; returns false if it is on the disk now. */
  private boolean drop(FlushedFile file) {
    synchronized (file.disk) {
      boolean dropped = held.remove(file.name(), file);
      if (dropped) {
        file.release();
      }
      return dropped;
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    requireNotHeld(dest);
    if (SegmentFiles.isPendingCommit(source) && namesBelow.get() > namesSynced.get()) {
      syncFolder(this);
    }
    write(source);
    in.rename(source, dest);
    below.remove(source);
    known(dest);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    List<String> due = new ArrayList<>();
    long bytes = 0;
    for (String name : names) {
      bytes += write(name);
      due.add(name);
      if (bytes >= SYNC_BYTES) {
        in.sync(due);
        due = new ArrayList<>();
        bytes = 0;
      }
    }
    if (!due.isEmpty() || names.isEmpty()) {
      in.sync(due);
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    long names = namesBelow.get(); // a later one may come too late for this sync
    in.syncMetaData();
    if (!Thread.currentThread().isInterrupted()) { // see syncFolder
      namesSynced.accumulateAndGet(names, Math::max);
    }
  }

  /** Drops the files that are still held: no sync has named them, so no commit has them. */
  @Override
  public void close() throws IOException {
    closed = true;
    try (in) {
      held.values().forEach(this::drop);
    }
  }

  /** Writes a file to the disk if it is held; returns its length, or 0. */
  private long write(String name) throws IOException {
    FlushedFile file = held.get(name);
    return file == null ? 0 : write(file);
  }

  /** Writes a file to the disk, unless that was done or it was deleted meanwhile. */
  private long write(FlushedFile file) throws IOException {
    String name = file.name();
    synchronized (file.disk) {
      if (held.get(name) != file) {
        return 0;
      }
      file.requireFinished(); // before the disk has anything of it
      boolean failed = true;
      try {
        try (IndexOutput output = in.createOutput(name, file.context())) {
          file.copyTo(output);
        }
        failed = false; // only after the close, which may fail too
      } catch (FileAlreadyExistsException e) {
        failed = false; // it is not ours to delete
        throw e;
      } finally {
        if (failed) {
          IOUtils.deleteFilesIgnoringExceptions(in, name);
        }
      }
      known(name);
      namesBelow.incrementAndGet();
      long bytes = file.length();
      drop(file);
      written.increment();
      return bytes;
    }
  }

  private void requireNotHeld(String name) throws FileAlreadyExistsException {
    if (held.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
  }

  /** Looks at the disk only if the name should be there, because a look may have to wait. */
  private void requireNotBelow(String name) throws IOException {
    Set<String> names = known();
    if (!names.contains(name)) {
      return;
    }
    try {
      in.fileLength(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      names.remove(name); // it was deleted without this directory
      return;
    }
    throw new FileAlreadyExistsException(name);
  }

  private Set<String> known() throws IOException {
    if (!listed) {
      synchronized (below) {
        if (!listed) {
          Collections.addAll(below, in.listAll());
          listed = true;
        }
      }
    }
    return below;
  }

  private void known(String name) {
    below.add(name);
  }

  /** Where files go that are too long, or for which there is no room. */
  private final class Below implements FlushedFile.Destination {

    @Override
    public IndexOutput spill(FlushedFile file) throws IOException {
      IndexOutput output = in.createOutput(file.name(), file.context());
      known(file.name());
      if (!FlushedFilesDirectory.this.drop(file)) {
        IOUtils.closeWhileHandlingException(output);
        in.deleteFile(file.name());
        throw new NoSuchFileException(file.name(), null, "it was deleted while it was written");
      }
      spilled.increment();
      return output;
    }

    @Override
    public void drop(FlushedFile file) {
      FlushedFilesDirectory.this.drop(file);
    }
  }

  /**
   * The figures of a {@link FlushedFilesDirectory} at one moment.
   *
   * @param heldBytes heap of the files that are held, and of those that readers still have open
   * @param heldFiles number of files that are not on the disk
   * @param writtenFiles files that a commit or a rename wrote to the disk
   * @param spilledFiles files that went to the disk while they were written, because they became
   *     too long or there was no room
   * @param unwrittenFiles files that were deleted before they were ever on the disk
   */
  public record Snapshot(
      long heldBytes, long heldFiles, long writtenFiles, long spilledFiles, long unwrittenFiles) {

    /** What is shown of the flushed files of an index. */
    public static final SourceFigures<Snapshot> FIGURES =
        SourceFigures.of(
            "lucene.files.flushed",
            level(
                "held",
                BYTES,
                "Flushed files held in memory until a commit or their deletion",
                Snapshot::heldBytes),
            total(
                    "unwritten",
                    COUNT,
                    "Flushed files that were deleted before they were ever on the disk",
                    Snapshot::unwrittenFiles)
                .counting("files"));
  }
}
