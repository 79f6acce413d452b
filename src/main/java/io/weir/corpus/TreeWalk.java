package io.weir.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The regular files below a directory, in an order that does not depend on the file system: entries
 * are sorted by name, and a directory's content takes its place.
 *
 * <p>Names compare as {@link Path}s do: by their bytes on every Unix, whatever its locale. Symbolic
 * links, special files, and the directories of version control are skipped. A directory that cannot
 * be listed is a malformed input.
 *
 * <p>It holds only the listings of the directories on the path to the current file.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class TreeWalk {

  /** A regular file, as found. */
  record Entry(Path path, BasicFileAttributes attributes) {}

  private static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn");

  private final ReadProblems problems;
  private final Deque<Iterator<Path>> listings = new ArrayDeque<>();

  TreeWalk(Path root, ReadProblems problems) throws IOException {
    this.problems = problems;
    enter(root);
  }

  /** The next file, or null at the end. */
  Entry next() throws IOException {
    while (!listings.isEmpty()) {
      if (!listings.peek().hasNext()) {
        listings.pop();
        continue;
      }
      Path path = listings.peek().next();
      BasicFileAttributes attributes;
      try {
        attributes =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException e) {
        problems.malformed(path.toString(), "cannot be read: " + Breaks.reason(e));
        continue;
      }
      if (attributes.isRegularFile()) {
        return new Entry(path, attributes);
      }
      if (!attributes.isDirectory() || VERSION_CONTROL.contains(path.getFileName().toString())) {
        problems.skipped();
        continue;
      }
      enter(path);
    }
    return null;
  }

  private void enter(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    } catch (IOException | DirectoryIteratorException | UncheckedIOException e) {
      Breaks.rethrowIfStopped(e);
      problems.malformed(directory.toString(), "cannot be listed: " + Breaks.reason(e));
    }
    Collections.sort(entries);
    listings.push(entries.iterator());
  }
}
