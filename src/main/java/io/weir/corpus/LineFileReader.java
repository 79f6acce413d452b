package io.weir.corpus;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads luceneutil's line file: one document per line, with columns separated by TABs.
 *
 * <p>A line that is too long or has too few columns is malformed and dropped. A line with invalid
 * UTF-8 is malformed but kept, with U+FFFD in place of the invalid bytes. A document with an
 * unreadable date is undated. A blank line is skipped, also before the header.
 */
final class LineFileReader implements DocumentReader {

  /** Longer lines come from a file of another kind. */
  static final int MAX_LINE_BYTES = 64 << 20;

  private final LineSplitter lines;
  private final String name;
  private final ReadProblems problems;
  private final int maxLineBytes;

  private LineColumns columns = LineColumns.WITHOUT_HEADER;

  /** Where each needed column starts; the column ends a byte before the next start. */
  private int[] starts = new int[columns.needed() + 1];

  /** Whether there was a line that is not blank; the first one may be a header. */
  private boolean begun;

  private boolean ended;

  LineFileReader(InputStream in, String name, ReadProblems problems, int maxLineBytes) {
    this.lines = new LineSplitter(in, maxLineBytes);
    this.name = name;
    this.problems = problems;
    this.maxLineBytes = maxLineBytes;
  }

  @Override
  public CorpusDocument next() throws IOException {
    while (nextLine()) {
      if (lines.isTooLong()) {
        begun = true;
        malformed("line must be at most " + maxLineBytes + " bytes, left out");
        continue;
      }
      int from = lines.start();
      int to = lines.end();
      if (lines.lineNumber() == 1) {
        from += Utf8.byteOrderMarkBytes(lines.buffer(), from, to);
      }
      if (isBlank(from, to)) {
        problems.skipped();
        continue;
      }
      if (!begun) {
        begun = true;
        if (readHeader(Utf8.decode(lines.buffer(), from, to))) {
          continue;
        }
      }
      int found = split(from, to);
      if (found < columns.needed()) {
        malformed("line must have " + columns.needed() + " columns or more: " + found);
        continue;
      }
      return document(from, to);
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private boolean nextLine() throws IOException {
    if (ended) {
      return false;
    }
    try {
      ended = !lines.next();
    } catch (IOException e) {
      Breaks.rethrowIfStopped(e);
      ended = true;
      malformed("the file breaks here, what came before is kept: " + Breaks.reason(e));
    }
    return !ended;
  }

  private boolean isBlank(int from, int to) {
    byte[] bytes = lines.buffer();
    int i = from;
    while (i < to && bytes[i] >= 0 && bytes[i] <= ' ') {
      i++;
    }
    return i == to;
  }

  private boolean readHeader(String line) throws IOException {
    if (!LineColumns.isHeader(line)) {
      return false;
    }
    Optional<LineColumns> named = LineColumns.ofHeader(line);
    if (named.isEmpty()) {
      throw new IOException(
          name + ":" + lines.lineNumber() + ": header must name a title and a body: " + line);
    }
    columns = named.get();
    starts = new int[columns.needed() + 1];
    return true;
  }

  /** Fills {@link #starts}; returns how many of the needed columns there are. */
  private int split(int from, int to) {
    byte[] bytes = lines.buffer();
    int found = 0;
    starts[0] = from;
    for (int i = from; i < to && found < starts.length - 1; i++) {
      if (bytes[i] == '\t') {
        starts[++found] = i + 1;
      }
    }
    if (found < starts.length - 1) {
      starts[++found] = to + 1;
    }
    return found;
  }

  private CorpusDocument document(int from, int to) {
    String title = column(columns.title());
    String body = column(columns.body());
    OptionalLong epochMillis =
        columns.date().isPresent()
            ? DocumentDate.epochMillis(column(columns.date().getAsInt()))
            : OptionalLong.empty();
    if (epochMillis.isEmpty()) {
      problems.undated();
    }
    if (Utf8.firstInvalid(title, lines.buffer(), from, to) >= 0
        || Utf8.firstInvalid(body, lines.buffer(), from, to) >= 0) {
      malformed("invalid UTF-8, replaced by U+FFFD");
    }
    return new CorpusDocument(title, body, epochMillis.orElse(CorpusDocument.UNDATED_EPOCH_MILLIS));
  }

  private String column(int index) {
    return Utf8.decode(lines.buffer(), starts[index], starts[index + 1] - 1);
  }

  private void malformed(String reason) {
    problems.malformed(name, lines.lineNumber(), reason);
  }

  /**
   * The lines of a stream as slices of one buffer; a line ends with LF, CR LF or the stream.
   *
   * <p>A line longer than the limit is skipped without keeping it in memory.
   *
   * <p><b>Threads:</b> one at a time.
   *
   * <p><b>Ownership:</b> closes the stream. The buffer holds the line until the next call of {@link
   * #next}.
   */
  static final class LineSplitter implements Closeable {

    private static final int READ_BYTES = 1 << 18;

    private final InputStream in;
    private final int maxLineBytes;

    private byte[] buffer = new byte[2 * READ_BYTES];
    private int filled;
    private int lineStart;
    private int lineEnd;
    private int nextStart;
    private boolean tooLong;
    private long lineNumber;

    LineSplitter(InputStream in, int maxLineBytes) {
      this.in = in;
      this.maxLineBytes = maxLineBytes;
    }

    /**
     * Moves to the next line; false at the end. After a failed read the line number is that of the
     * truncated line.
     */
    boolean next() throws IOException {
      lineNumber++;
      lineStart = nextStart;
      tooLong = false;
      int searched = lineStart;
      while (true) {
        int newline = indexOfNewline(searched);
        if (newline >= 0) {
          nextStart = newline + 1;
          endLine(newline);
          return true;
        }
        if (filled - lineStart > maxLineBytes) {
          tooLong = true;
          lineStart = filled;
        }
        searched = makeRoom();
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          nextStart = filled;
          endLine(filled);
          return tooLong || lineEnd > lineStart;
        }
        filled += read;
      }
    }

    /** Counted from 1. */
    long lineNumber() {
      return lineNumber;
    }

    /** Whether the line is longer than the limit; its slice is then unusable. */
    boolean isTooLong() {
      return tooLong;
    }

    byte[] buffer() {
      return buffer;
    }

    int start() {
      return lineStart;
    }

    /** The index after the line's last byte, excluding the line end. */
    int end() {
      return lineEnd;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    private void endLine(int end) {
      tooLong |= end - lineStart > maxLineBytes;
      lineEnd = end > lineStart && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    private int indexOfNewline(int from) {
      for (int i = from; i < filled; i++) {
        if (buffer[i] == '\n') {
          return i;
        }
      }
      return -1;
    }

    /**
     * Moves the line's beginning to the front if there is too little room behind it for a read.
     * Returns where to continue.
     */
    private int makeRoom() {
      int held = filled - lineStart;
      if (buffer.length > 8 * READ_BYTES && held < READ_BYTES) {
        // One long line must not pin its memory for the rest of the file.
        buffer = Arrays.copyOfRange(buffer, lineStart, lineStart + 2 * READ_BYTES);
      } else if (buffer.length - filled >= READ_BYTES) {
        return filled; // a stream that hands out little must not have the line moved each time
      } else if (buffer.length - held < READ_BYTES) {
        buffer = Arrays.copyOfRange(buffer, lineStart, lineStart + 2 * held + READ_BYTES);
      } else {
        System.arraycopy(buffer, lineStart, buffer, 0, held);
      }
      lineStart = 0;
      filled = held;
      return held;
    }
  }
}
