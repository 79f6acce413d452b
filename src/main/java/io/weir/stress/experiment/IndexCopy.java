package io.weir.stress.experiment;

import io.weir.procfs.ProcessIdentity;
import io.weir.procfs.Procfs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/**
 * A copy of an index for one arm, made of hard links: it takes no space and no time, and all arms
 * read the same blocks of the disk. Lucene writes each file once and never changes it, so the
 * copies do not see each other. Where the file system has no hard links, the files are copied.
 *
 * <p><b>Ownership:</b> {@link #close} deletes the copy.
 */
public final class IndexCopy implements Closeable {

  private static final String COPIES = ".copies-";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern IDENTITY =
      Pattern.compile("(\\d{1,18})-(\\d{1,18})-(\\p{XDigit}+)-([\\d.]+)");

  private final Path path;
  private final boolean linked;

  private IndexCopy(Path path, boolean linked) {
    this.path = path;
    this.linked = linked;
  }

  /** Copies {@code index} to the new directory {@code copy}. */
  static IndexCopy of(Path index, Path copy) throws IOException {
    Files.createDirectory(copy);
    boolean linked = true;
    try (Stream<Path> listed = Files.list(index)) {
      List<Path> files =
          listed
              .filter(Files::isRegularFile)
              .filter(f -> !f.getFileName().toString().equals(IndexWriter.WRITE_LOCK_NAME))
              .toList();
      for (Path file : files) {
        linked &= linkOrCopy(file, copy.resolve(file.getFileName()));
      }
      return new IndexCopy(copy, linked);
    } catch (IOException e) {
      deleteTree(copy);
      throw e;
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Whether every file is a hard link. */
  boolean linked() {
    return linked;
  }

  @Override
  public void close() throws IOException {
    deleteTree(path);
  }

  /** Where the run of this process keeps its copies: beside the index. */
  static Path directoryOf(Path index, Procfs procfs) {
    return index.resolveSibling(index.getFileName() + COPIES + ownerName(procfs.self()));
  }

  /**
   * The end of a directory's name: a process number alone is given to another process one day, and
   * is another one's in each container. Where there is no {@code /proc}, there is nothing else.
   */
  private static String ownerName(Optional<ProcessIdentity> self) {
    return self.map(p -> p.number() + "-" + p.startTicks() + "-" + p.boot() + "-" + p.namespaces())
        .orElseGet(() -> Long.toString(ProcessHandle.current().pid()));
  }

  /** Whether the process that {@code owner} names has certainly ended. */
  private static boolean hasEnded(String owner, Procfs procfs) {
    Optional<ProcessIdentity> self = procfs.self();
    Matcher identity = IDENTITY.matcher(owner);
    if (self.isPresent() && identity.matches()) {
      ProcessIdentity process =
          new ProcessIdentity(
              Long.parseLong(identity.group(1)),
              Long.parseLong(identity.group(2)),
              identity.group(3),
              identity.group(4));
      ProcessIdentity.Life life = procfs.life(process, self.get());
      return life == ProcessIdentity.Life.ENDED || life == ProcessIdentity.Life.EARLIER_BOOT;
    }
    return self.isEmpty()
        && NUMBER.matcher(owner).matches()
        && ProcessHandle.of(Long.parseLong(owner)).isEmpty();
  }

  /** Deletes the copies of runs that were killed and so could not do it themselves. */
  static void deleteOfDeadRuns(Path index, Procfs procfs) throws IOException {
    String prefix = index.getFileName() + COPIES;
    Path parent = index.toAbsolutePath().getParent();
    if (!Files.isDirectory(parent)) {
      return;
    }
    try (Stream<Path> siblings = Files.list(parent)) {
      for (Path sibling : siblings.toList()) {
        String name = sibling.getFileName().toString();
        if (name.startsWith(prefix) && hasEnded(name.substring(prefix.length()), procfs)) {
          deleteTree(sibling);
        }
      }
    }
  }

  /** Deletes what is directly in {@code directory}, all of it files. */
  static void deleteFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Deletes {@code root} and what is below, if it is there. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean linkOrCopy(Path file, Path copy) throws IOException {
    try {
      Files.createLink(copy, file);
      return true;
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(file, copy);
      return false;
    }
  }
}
