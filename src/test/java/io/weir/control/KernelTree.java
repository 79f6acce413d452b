package io.weir.control;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory with kernel files, as {@code /proc} and {@code /sys} have them. */
record KernelTree(Path root) {

  Procfs procfs() {
    return new Procfs(root);
  }

  void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  void link(String from, String to) throws IOException {
    Path link = root.resolve(from);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, root.resolve(to));
  }

  void delete(String path) throws IOException {
    Files.delete(root.resolve(path));
  }
}
