package io.weir.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a file system does with the page cache, as far as its type tells. */
enum FileStoreKind {
  /** Keeps the pages of its files there, and can do without. */
  ORDINARY(""),
  /** Its files are their pages. */
  IN_MEMORY(" keeps its files in memory"),
  /** Has a cache of its own, of which the kernel's calls know nothing. */
  PAST_THE_PAGE_CACHE(" keeps its data outside the page cache");

  private final String habit;

  FileStoreKind(String habit) {
    this.habit = habit;
  }

  /** By the name that the kernel has for the type. */
  static FileStoreKind of(String storeType) {
    return switch (storeType) {
      case "tmpfs", "ramfs" -> IN_MEMORY;
      case "zfs" -> PAST_THE_PAGE_CACHE;
      default -> ORDINARY;
    };
  }

  /**
   * The type of the file system that a file is on; {@code unknown} where it cannot be read. A
   * security manager refuses it with a {@code SecurityException}, an engine's entitlements with an
   * exception of their own.
   */
  static String typeOf(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException | RuntimeException e) {
      return "unknown";
    }
  }

  /** What is unusual about it, in words. */
  String says(String storeType) {
    return storeType + habit;
  }
}
