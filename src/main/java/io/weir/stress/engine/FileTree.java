package io.weir.stress.engine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/** Copies of directories with all that is below them. */
final class FileTree {

  private FileTree() {}

  /**
   * Copies a tree to a directory that is not there, or empty. Files keep their permissions.
   *
   * @param link which files become hard links, because nothing ever changes them; they are copied
   *     too where the file system has no hard links
   */
  static void copy(Path from, Path to, Predicate<Path> link) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = to.resolve(from.relativize(file));
            if (!link.test(file) || !isLinked(file, copy)) {
              Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean isLinked(Path file, Path copy) {
    try {
      Files.createLink(copy, file);
      return true;
    } catch (UnsupportedOperationException | IOException e) {
      return false; // another file system, or one without hard links
    }
  }
}
