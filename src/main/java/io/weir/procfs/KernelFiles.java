package io.weir.procfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The kernel's files below a root directory.
 *
 * <p>A file that is missing or unreadable is empty. So is a file that a security policy denies: a
 * security manager throws a {@code SecurityException}, an engine's entitlements throw an exception
 * of their own. The first denial is logged and kept.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> no method throws.
 */
final class KernelFiles {

  private static final System.Logger LOGGER = System.getLogger(KernelFiles.class.getName());

  /** Well above the largest file of interest, mountinfo on a busy container host. */
  static final int MAX_FILE_BYTES = 4 << 20;

  private final Path root;
  private final AtomicReference<String> denial = new AtomicReference<>();

  KernelFiles(Path root) {
    this.root = root;
  }

  /** The first denied file, with the exception. */
  Optional<String> denial() {
    return Optional.ofNullable(denial.get());
  }

  Optional<String> text(String path) {
    return bytes(path).map(KernelFiles::decode);
  }

  /** The text without surrounding blanks; empty if it is blank. */
  Optional<String> line(String path) {
    return text(path).map(String::strip).filter(line -> !line.isEmpty());
  }

  Optional<String> line(Path file) {
    return bytes(file).map(KernelFiles::decode).map(String::strip).filter(line -> !line.isEmpty());
  }

  Optional<byte[]> bytes(String path) {
    try {
      return bytes(below(path));
    } catch (InvalidPathException e) {
      return Optional.empty(); // a path from the kernel, such as a group's, can contain anything
    }
  }

  Optional<IoFile> ioFile(String path) {
    try {
      return Optional.of(IoFile.open(below(path)));
    } catch (IOException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return denied(path, e);
    }
  }

  Optional<PageTables> pageTables(String maps, String tables) {
    try {
      return Optional.of(PageTables.open(below(maps), below(tables)));
    } catch (IOException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return denied(maps, e);
    }
  }

  /** The path with all links resolved. */
  Optional<Path> real(String path) {
    try {
      return Optional.of(below(path).toRealPath()).filter(real -> real.getFileName() != null);
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return denied(path, e);
    }
  }

  /** What a symbolic link says. */
  Optional<String> link(String path) {
    try {
      return Optional.of(Files.readSymbolicLink(below(path)).toString());
    } catch (IOException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return denied(path, e);
    }
  }

  /** The names in a directory; none if it cannot be read. */
  List<String> names(String path) {
    try (Stream<Path> files = Files.list(below(path))) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    } catch (RuntimeException e) {
      denied(path, e);
      return List.of();
    }
  }

  boolean exists(String path) {
    return exists(below(path));
  }

  boolean exists(Path file) {
    try {
      return Files.exists(file);
    } catch (RuntimeException e) {
      denied(file.toString(), e);
      return false;
    }
  }

  /** These files report no size, so the stream is read to its end. */
  private Optional<byte[]> bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(in.readNBytes(MAX_FILE_BYTES));
    } catch (IOException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return denied(file.toString(), e);
    }
  }

  private <T> Optional<T> denied(String path, RuntimeException refusal) {
    String reason = path + ": " + refusal;
    if (denial.compareAndSet(null, reason)) {
      try {
        LOGGER.log(
            Level.INFO,
            "access to kernel files is denied, so their figures are absent: {0}",
            reason);
      } catch (Throwable unheard) {
        // The reason is kept.
      }
    }
    return Optional.empty();
  }

  private static String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Path below(String absolutePath) {
    return root.resolve(absolutePath.substring(1));
  }
}
