package io.weir.store;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * How writeback is done in one directory, and why so: found out once, when the directory is
 * wrapped, by one harmless call on the directory itself, which creates nothing.
 *
 * <p>A call that is answered is not always obeyed: ZFS keeps file data outside the page cache, so
 * {@code sync_file_range} finds nothing there and says that all is well. Such file systems are told
 * by name.
 *
 * @param method how
 * @param reason why not the better one, or that it is that one; a sentence for a person to read
 * @param rangeBytes how much is started at once
 * @param windowRanges how many ranges may be on their way; 0 when starting is waiting
 * @param opener opens the files
 */
record WritebackMedium(
    WritebackMethod method, String reason, long rangeBytes, int windowRanges, Opener opener) {

  /**
   * How often at most a whole file is forced: each costs a commit of the journal and a flush of the
   * disk's cache, so it must pay.
   */
  static final long MIN_FORCE_BYTES = 4 << 20;

  /** Opens a file of the directory by its name. */
  interface Opener {
    WritebackFile open(String name) throws IOException;
  }

  /**
   * For the directory that {@code in} comes down to. Whatever is refused on the way is a reason to
   * do without it; nothing is thrown.
   *
   * @param kernel gives the calls, or throws {@link UnsupportedOperationException} with a reason
   */
  static WritebackMedium of(Directory in, WritebackOptions options, Supplier<LinuxCalls> kernel) {
    if (options.isOff()) {
      return none("switched off");
    }
    if (FilterDirectory.unwrap(in) instanceof FSDirectory files) {
      Path path = files.getDirectory();
      return of(path, FileStoreKind.typeOf(path), options, kernel);
    }
    return none("not in a file system: " + FilterDirectory.unwrap(in).getClass().getSimpleName());
  }

  /** For a path in a file store of that type. */
  static WritebackMedium of(
      Path directory, String storeType, WritebackOptions options, Supplier<LinuxCalls> kernel) {
    switch (FileStoreKind.of(storeType)) {
      case IN_MEMORY -> {
        return none(FileStoreKind.IN_MEMORY.says(storeType));
      }
      case PAST_THE_PAGE_CACHE -> {
        return force(directory, options, FileStoreKind.PAST_THE_PAGE_CACHE.says(storeType));
      }
      case ORDINARY -> {}
    }
    if (!directory.getFileSystem().equals(FileSystems.getDefault())) {
      return force(directory, options, "not the file system of the machine: " + directory);
    }
    try {
      LinuxCalls calls = kernel.get();
      probe(calls, directory);
      return new WritebackMedium(
          WritebackMethod.SYNC_FILE_RANGE,
          "sync_file_range answers",
          options.rangeBytes(),
          options.windowRanges(),
          name -> new RangeWritebackFile(calls, directory.resolve(name)));
    } catch (UnsupportedOperationException | IOException e) {
      return force(directory, options, e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      return force(directory, options, "calls to the kernel are refused: " + e);
    }
  }

  private static void probe(LinuxCalls calls, Path directory) throws IOException {
    int descriptor = calls.open(directory);
    try {
      calls.syncFileRange(descriptor, 0, 0, LinuxCalls.WRITE);
    } finally {
      calls.close(descriptor);
    }
  }

  private static WritebackMedium force(Path directory, WritebackOptions options, String reason) {
    long windowBytes = options.rangeBytes() * (options.windowRanges() + 1L);
    return new WritebackMedium(
        WritebackMethod.FDATASYNC,
        reason,
        Math.max(windowBytes, MIN_FORCE_BYTES),
        0,
        name -> new ForcedWritebackFile(directory.resolve(name)));
  }

  private static WritebackMedium none(String reason) {
    return new WritebackMedium(
        WritebackMethod.NONE,
        reason,
        0,
        0,
        name -> {
          throw new IOException("no writeback: " + reason);
        });
  }
}
