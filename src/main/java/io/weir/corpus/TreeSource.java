package io.weir.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The documents of a tree of text files. */
record TreeSource(Path root, long fileBytes, List<Path> leftOut) implements DocumentSource {

  /** Walks the tree once; refuses one without any text. */
  static TreeSource at(Path root) {
    try {
      ReadProblems ignored = new ReadProblems();
      TreeWalk walk = new TreeWalk(root, ignored);
      boolean anyText = false;
      long fileBytes = 0;
      for (TreeWalk.Entry entry; (entry = walk.next()) != null; ) {
        fileBytes += entry.attributes().size();
        anyText = anyText || hasText(entry.path());
      }
      if (!anyText) {
        throw new IllegalArgumentException(
            "documents must be a directory with at least one text file: " + root);
      }
      return new TreeSource(root, fileBytes, List.copyOf(walk.leftOut()));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "documents must be readable: " + root + ": " + Breaks.reason(e), e);
    }
  }

  @Override
  public DocumentReader open(ReadProblems problems) throws IOException {
    return new NonEmptyReader(new TreeReader(root, problems), root.toString(), problems);
  }

  @Override
  public String describe() {
    return root.toString();
  }

  @Override
  public OptionalLong documentCount() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalLong textBytes() {
    return OptionalLong.of(fileBytes);
  }

  private static boolean hasText(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(TreeReader.BINARY_HEAD_BYTES);
      int from = Utf8.byteOrderMarkBytes(head, 0, head.length);
      return from < head.length && !TreeReader.isBinary(head, head.length);
    } catch (IOException e) {
      return false;
    }
  }
}
