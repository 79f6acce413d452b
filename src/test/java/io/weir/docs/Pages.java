package io.weir.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The pages of the repository. */
public final class Pages {

  /** For those who change Weir or move to another version of it. */
  private static final Set<String> NOT_OF_USERS = Set.of("CONTRIBUTING.md", "CHANGELOG.md");

  private Pages() {}

  /** All below {@code docs}, and the README. */
  static List<Path> all() throws IOException {
    return pages(Integer.MAX_VALUE);
  }

  /** Those for users: what is in {@code docs/internals} and {@code docs/measurements} is not. */
  public static List<Path> ofUsers() throws IOException {
    return pages(1).stream()
        .filter(page -> !NOT_OF_USERS.contains(page.getFileName().toString()))
        .toList();
  }

  private static List<Path> pages(int depth) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("docs"), depth)) {
      return Stream.concat(
              Stream.of(Path.of("README.md")),
              files.filter(file -> file.toString().endsWith(".md")).sorted())
          .toList();
    }
  }
}
