package io.weir.store.writeback;

import io.weir.store.WritebackMethod;
import io.weir.store.WritebackOptions;
import io.weir.store.kernel.FileStoreKind;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The method of writeback in one directory, with the reason. It is chosen once, when the directory
 * is wrapped, by one harmless call on the directory itself, which creates nothing.
 *
 * <p>A successful call is not always effective: ZFS keeps file data outside the page cache, so
 * {@code sync_file_range} finds nothing there and reports success. Such file systems are recognized
 * by name.
 *
 * @param method the method
 * @param reason a sentence that explains the choice
 * @param rangeBytes bytes started at once
 * @param windowRanges maximum number of ranges in flight; 0 if a start always waits
 * @param opener opens the files
 */
public record WritebackMedium(
    WritebackMethod method, String reason, long rangeBytes, int windowRanges, Opener opener) {

  /**
   * The minimum bytes between two forces of a file: each costs a journal commit and a flush of the
   * disk's cache.
   */
  static final long MIN_FORCE_BYTES = 4 << 20;

  /** Opens a file of the directory by its name. */
  public interface Opener {
    WritebackFile open(String name) throws IOException;
  }

  /**
   * For the directory at the bottom of {@code in}. A denial is a reason for another method, not an
   * exception.
   *
   * @param kernel returns the calls, or throws {@link UnsupportedOperationException} with a reason
   */
  public static WritebackMedium of(
      Directory in, WritebackOptions options, Supplier<LinuxCalls> kernel) {
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
  public static WritebackMedium of(
      Path directory, String storeType, WritebackOptions options, Supplier<LinuxCalls> kernel) {
    switch (FileStoreKind.of(storeType)) {
      case IN_MEMORY -> {
        return none(FileStoreKind.IN_MEMORY.describe(storeType));
      }
      case PAST_THE_PAGE_CACHE -> {
        return force(directory, options, FileStoreKind.PAST_THE_PAGE_CACHE.describe(storeType));
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
