package io.weir.corpus;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

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
