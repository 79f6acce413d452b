package io.weir.corpus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The documents of one file: a line file or a Wikipedia dump, plain or packed. */
record FileSource(Path file, Compression compression, FileFormat format, long fileBytes)
    implements DocumentSource {

  /** More than the longest block of bzip2, whose checksum is behind it. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final Pattern ARCHIVE_NAME = Pattern.compile("\\.(gz|bz2|xz|zst)$");

  /** Examines the file's beginning; refuses files as {@link DocumentSources#parse} describes. */
  static FileSource at(Path file) {
    if (!Files.isRegularFile(file)) {
      // For example a pipe, which cannot be read repeatedly.
      throw new IllegalArgumentException("documents must be a regular file: " + file);
    }
    try {
      Compression compression = Compression.of(head(file));
      return new FileSource(file, compression, format(file, compression), Files.size(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "documents must be readable: " + file + ": " + Breaks.reason(e), e);
    }
  }

  @Override
  public DocumentReader open(ReadProblems problems) throws IOException {
    String name = file.toString();
    InputStream in = compression.open(file, reason -> problems.malformed(name, reason));
    return new NonEmptyReader(format.reader(in, name, problems), name, problems);
  }

  @Override
  public String describe() {
    return file.toString();
  }

  @Override
  public OptionalLong documentCount() {
    return OptionalLong.empty();
  }

  @Override
  public OptionalLong textBytes() {
    return OptionalLong.of(fileBytes * compression.factor());
  }

  private static byte[] head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(Compression.HEAD_BYTES);
    }
  }

  /**
   * The format of the readable beginning: an archive that breaks there may still contain documents.
   * If it has no format, a break is the reason. Some decoders give what is wrong and notice it at
   * the end of a block.
   */
  private static FileFormat format(Path file, Compression compression) throws IOException {
    try (InputStream in = compression.open(file, leftOut -> {})) {
      ByteArrayOutputStream head = new ByteArrayOutputStream(FileFormat.HEAD_BYTES);
      Optional<IOException> broken = read(in, FileFormat.HEAD_BYTES, head);
      try {
        return FileFormat.of(head.toByteArray(), file.toString());
      } catch (IllegalArgumentException e) {
        if (compression != Compression.NONE && broken.isEmpty()) {
          broken = read(in, BLOCK_BYTES, OutputStream.nullOutputStream());
        }
        if (broken.isPresent()) {
          throw broken.get();
        }
        if (compression == Compression.NONE && ARCHIVE_NAME.matcher(file.toString()).find()) {
          throw new IllegalArgumentException(
              e.getMessage() + "; named like an archive, it does not begin like one", e);
        }
        throw e;
      }
    }
  }

  /** Reads up to {@code most} bytes, and returns the break if there is one before. */
  private static Optional<IOException> read(InputStream in, int most, OutputStream to)
      throws IOException {
    byte[] piece = new byte[Compression.PIECE_BYTES];
    int left = most;
    while (left > 0) {
      int read;
      try {
        read = in.read(piece, 0, Math.min(left, piece.length));
      } catch (IOException e) {
        return Optional.of(e);
      }
      if (read < 0) {
        break;
      }
      to.write(piece, 0, read);
      left -= read;
    }
    return Optional.empty();
  }

  /** The format of a file of documents, recognized by the beginning of its decompressed content. */
  enum FileFormat {
    LINES {
      @Override
      DocumentReader reader(InputStream in, String name, ReadProblems problems) {
        return new LineFileReader(in, name, problems, LineFileReader.MAX_LINE_BYTES);
      }
    },
    WIKIPEDIA {
      @Override
      DocumentReader reader(InputStream in, String name, ReadProblems problems) {
        return new WikipediaReader(in, name, problems, WikipediaReader.MAX_TEXT_CHARS);
      }
    };

    /** The number of bytes examined. */
    static final int HEAD_BYTES = 1 << 16;

    private static final String WIKIPEDIA_ROOT = "<mediawiki";

    abstract DocumentReader reader(InputStream in, String name, ReadProblems problems);

    /**
     * The format identified by the first {@link #HEAD_BYTES} bytes, or by all if there are fewer.
     *
     * @throws IllegalArgumentException if the format is unknown
     */
    static FileFormat of(byte[] head, String name) {
      int from = Utf8.byteOrderMarkBytes(head, 0, head.length);
      // The patterns are ASCII, which Latin-1 decodes even if the head ends within a character.
      String text = new String(head, from, head.length - from, StandardCharsets.ISO_8859_1);
      if (text.isBlank()) {
        throw refused("is empty", name);
      }
      if (Utf8.isUtf16(head)) {
        throw refused("is UTF-16 text, not UTF-8", name);
      }
      if (text.indexOf('\0') >= 0) {
        throw refused("is not UTF-8 text (luceneutil's binary line files are not read)", name);
      }
      if (text.stripLeading().startsWith("<") && text.contains(WIKIPEDIA_ROOT)) {
        return WIKIPEDIA;
      }
      String firstLine = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
      if (LineColumns.isHeader(firstLine)) {
        if (LineColumns.ofHeader(firstLine).isEmpty()) {
          throw refused("has a header that names no title or no body", name);
        }
        return LINES;
      }
      if (firstLine.chars().filter(c -> c == '\t').limit(2).count() == 2) {
        return LINES;
      }
      throw refused(
          "is neither XML with " + WIKIPEDIA_ROOT + " nor has two TABs in its first line", name);
    }

    static IllegalArgumentException refused(String reason, String name) {
      return new IllegalArgumentException(
          "documents must be " + DocumentSources.FORMS + ": " + name + " " + reason);
    }
  }
}
