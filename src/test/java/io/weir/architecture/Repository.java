package io.weir.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The text files of this repository, those left out that {@code .gitignore} names. */
final class Repository {

  private Repository() {}

  static List<SourceFile> textFiles(Path root) throws IOException {
    if (!Files.exists(root.resolve("pom.xml"))) {
      throw new IllegalArgumentException("root must be the directory of pom.xml: " + root);
    }
    Set<Path> ignored = new HashSet<>(Set.of(root.resolve(".git")));
    for (String line : Files.readAllLines(root.resolve(".gitignore"))) {
      if (line.startsWith("/")) {
        ignored.add(root.resolve(line.substring(1)));
      }
    }
    List<SourceFile> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return ignored.contains(path) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            byte[] bytes =
                ignored.contains(path) || !attributes.isRegularFile()
                    ? new byte[] {0}
                    : Files.readAllBytes(path);
            if (isText(bytes)) {
              files.add(
                  new SourceFile(
                      root.relativize(path).toString().replace('\\', '/'),
                      new String(bytes, StandardCharsets.UTF_8)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return List.copyOf(files);
  }

  private static boolean isText(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        return false;
      }
    }
    return true;
  }
}
