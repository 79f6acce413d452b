package io.weir.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The regular files below a directory, in an order that does not depend on the file system: entries
 * are sorted by name, and a directory's content takes its place.
 *
 * <p>Names compare as {@link Path}s do: by their bytes on every Unix, whatever its locale. Symbolic
 * links, special files, and the directories of version control are skipped. So are, below the root,
 * what Weir makes: directories of runs and indexes, or a second run would read the first as
 * documents. A directory that cannot be listed is a malformed input.
 *
 * <p>It holds only the listings of the directories on the path to the current file.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class TreeWalk {

  /** A regular file, as found. */
  record Entry(Path path, BasicFileAttributes attributes) {}

  private static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn");

  /** A run directory has one of these once it has a result; so may any other. */
  private static final Set<String> RESULTS = Set.of("run.json", "load.json");

  private static final int RESULT_HEAD_BYTES = 256;

  /** What a run directory has while the run lasts, and a run that was killed leaves. */
  private static final String CLAIM = ".work/claim";

  /** The data of an engine that a run has filled. */
  private static final String ENGINE_STAMP = "weir-stress.json";

  private static final Pattern COMMIT = Pattern.compile("segments_[0-9a-z]+");

  /** Each file of Lucene begins so: its {@code CodecUtil.CODEC_MAGIC}. */
  private static final byte[] LUCENE_HEAD = {0x3f, (byte) 0xd7, 0x6c, 0x17};

  /** What Lucene holds while it writes an index, also before the first commit. */
  private static final String LOCK = "write.lock";

  private final ReadProblems problems;
  private final Deque<Iterator<Path>> listings = new ArrayDeque<>();
  private final List<Path> leftOut = new ArrayList<>();

  TreeWalk(Path root, ReadProblems problems) throws IOException {
    this.problems = problems;
    listings.push(list(root).iterator());
  }

  /** The directories of runs and indexes among those passed so far. */
  List<Path> leftOut() {
    return leftOut;
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
      List<Path> entries = list(path);
      if (entries.stream().anyMatch(TreeWalk::isOfWeir)) {
        leftOut.add(path);
        problems.skipped();
        continue;
      }
      listings.push(entries.iterator());
    }
    return null;
  }

  /** Whether the directory of this entry is that of a run or an index. */
  private static boolean isOfWeir(Path entry) {
    String name = entry.getFileName().toString();
    try {
      if (RESULTS.contains(name)) {
        return new String(head(entry, RESULT_HEAD_BYTES), StandardCharsets.UTF_8)
            .contains("\"schemaVersion\"");
      }
      return name.equals(ENGINE_STAMP)
          || CLAIM.startsWith(name + "/") && Files.exists(entry.resolveSibling(CLAIM))
          || COMMIT.matcher(name).matches()
              && Arrays.equals(LUCENE_HEAD, head(entry, LUCENE_HEAD.length))
          || name.equals(LOCK) && Files.size(entry) == 0;
    } catch (IOException e) {
      return false; // the walk says so when it comes to this entry
    }
  }

  private static byte[] head(Path file, int bytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(bytes);
    }
  }

  private List<Path> list(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    } catch (IOException | DirectoryIteratorException | UncheckedIOException e) {
      Breaks.rethrowIfStopped(e);
      problems.malformed(directory.toString(), "cannot be listed: " + Breaks.reason(e));
    }
    Collections.sort(entries);
    return entries;
  }
}
