package io.weir.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  /**
   * Reads a tree of text files: each file a document, titled by its path below the root and dated
   * by its last change.
   *
   * <p>A file of more than {@value #MAX_DOCUMENT_BYTES} bytes becomes several documents. It is
   * split after the last line end that fits, or between two characters if a line is longer than
   * that. From the second on, their titles end in {@code #2}, {@code #3} and so on. Files with a
   * NUL among their first {@value #BINARY_HEAD_BYTES} bytes, files in UTF-16, compressed files and
   * empty files are skipped. An unreadable file is malformed. A file with invalid UTF-8 is
   * malformed once, at its first such line, but kept, with U+FFFD in place of the invalid bytes.
   */
  static final class TreeReader implements DocumentReader {

    static final int MAX_DOCUMENT_BYTES = 1 << 20;
    static final int BINARY_HEAD_BYTES = 1 << 13;

    private final Path root;
    private final ReadProblems problems;
    private final TreeWalk walk;

    /** One byte longer than a document, to detect whether there is more. */
    private final byte[] buffer = new byte[MAX_DOCUMENT_BYTES + 1];

    // Of the file that is being read.
    private TreeWalk.Entry file;
    private InputStream in;
    private int filled;
    private int documents;
    private long linesBefore;
    private boolean invalidTold;

    TreeReader(Path root, ReadProblems problems) throws IOException {
      this.root = root;
      this.problems = problems;
      this.walk = new TreeWalk(root, problems);
    }

    @Override
    public CorpusDocument next() throws IOException {
      while (file != null || nextFile()) {
        try {
          CorpusDocument document = nextDocument();
          if (document != null) {
            return document;
          }
          close();
        } catch (IOException e) {
          Breaks.rethrowIfStopped(e);
          problems.malformed(file.path().toString(), "cannot be read: " + Breaks.reason(e));
          close();
        }
      }
      return null;
    }

    @Override
    public void close() throws IOException {
      InputStream closing = in;
      in = null;
      file = null;
      if (closing != null) {
        closing.close();
      }
    }

    /** Whether a file with this beginning is binary. */
    static boolean isBinary(byte[] head, int length) {
      for (int i = 0; i < Math.min(length, BINARY_HEAD_BYTES); i++) {
        if (head[i] == 0) {
          return true;
        }
      }
      byte[] first = Arrays.copyOf(head, Math.min(length, Compression.HEAD_BYTES));
      return Utf8.isUtf16(first) || Compression.of(first) != Compression.NONE;
    }

    private boolean nextFile() throws IOException {
      file = walk.next();
      filled = 0;
      documents = 0;
      linesBefore = 0;
      invalidTold = false;
      return file != null;
    }

    /** The next document of the current file, or null after its last. */
    private CorpusDocument nextDocument() throws IOException {
      if (in == null) {
        in = Files.newInputStream(file.path());
      }
      filled += in.readNBytes(buffer, filled, buffer.length - filled);
      int from = 0;
      if (documents == 0) {
        from = Utf8.byteOrderMarkBytes(buffer, 0, filled);
        if (from == filled || isBinary(buffer, filled)) {
          problems.skipped();
          return null;
        }
      }
      if (filled == 0) {
        return null;
      }
      int cut = filled < buffer.length ? filled : cut();
      String body = Utf8.decode(buffer, from, cut);
      tellInvalid(body, from, cut);
      linesBefore += newlines(cut);
      System.arraycopy(buffer, cut, buffer, 0, filled - cut);
      filled -= cut;
      documents++;
      return new CorpusDocument(title(), body, file.attributes().lastModifiedTime().toMillis());
    }

    /**
     * Where to split a full buffer: after the last line end that fits, or else before a character.
     */
    private int cut() {
      for (int i = MAX_DOCUMENT_BYTES; i > 0; i--) {
        if (buffer[i - 1] == '\n') {
          return i;
        }
      }
      int cut = MAX_DOCUMENT_BYTES;
      while (cut > MAX_DOCUMENT_BYTES - 3 && (buffer[cut] & 0xC0) == 0x80) {
        cut--;
      }
      return cut;
    }

    private String title() {
      // Slashes on every system, so that titles are the same.
      String path =
          root.relativize(file.path()).toString().replace(root.getFileSystem().getSeparator(), "/");
      return documents == 1 ? path : path + "#" + documents;
    }

    private void tellInvalid(String body, int from, int to) {
      if (invalidTold) {
        return;
      }
      int invalid = Utf8.firstInvalid(body, buffer, from, to);
      if (invalid >= 0) {
        invalidTold = true;
        problems.malformed(
            file.path().toString(),
            1 + linesBefore + newlines(invalid),
            "invalid UTF-8, replaced by U+FFFD");
      }
    }

    private long newlines(int to) {
      long count = 0;
      for (int i = 0; i < to; i++) {
        if (buffer[i] == '\n') {
          count++;
        }
      }
      return count;
    }
  }
}
