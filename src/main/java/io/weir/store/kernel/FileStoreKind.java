package io.weir.store.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a file system uses the page cache, according to its type. */
public enum FileStoreKind {
  /** Caches file pages there, and can drop them. */
  ORDINARY(""),
  /** Keeps its files in memory only. */
  IN_MEMORY(" keeps its files in memory"),
  /** Has its own cache, which the kernel's calls do not reach. */
  PAST_THE_PAGE_CACHE(" keeps its data outside the page cache");

  private final String habit;

  FileStoreKind(String habit) {
    this.habit = habit;
  }

  /** The kind for the kernel's name of the type. */
  public static FileStoreKind of(String storeType) {
    return switch (storeType) {
      case "tmpfs", "ramfs" -> IN_MEMORY;
      case "zfs" -> PAST_THE_PAGE_CACHE;
      default -> ORDINARY;
    };
  }

  /**
   * The type of the file system of a path; {@code unknown} if it cannot be read. A security manager
   * denies it with a {@code SecurityException}, an engine's entitlements with an exception of their
   * own.
   */
  public static String typeOf(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException | RuntimeException e) {
      return "unknown";
    }
  }

  /** A description of what is unusual about it. */
  public String describe(String storeType) {
    return storeType + habit;
  }
}
