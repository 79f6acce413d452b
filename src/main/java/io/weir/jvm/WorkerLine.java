package io.weir.jvm;

import io.weir.run.RunJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One line of what a worker says: {@code weir:message Ready {"port":7}}. The name of a record and
 * the record as JSON follow the kind of the line. What the run says to a worker is the same without
 * a kind.
 *
 * <p>A worker shares its standard output with libraries, and with its JVM, which logs there from
 * any thread. So a line begins with a mark and after a line break of its own, and a long one is
 * written in pieces that a pipe takes as a whole: nothing can come into the middle of one.
 */
record WorkerLine(Kind kind, String text) {

  private static final String MARK = "weir:";

  /**
   * In characters, of which none takes more than three bytes: POSIX has pipes take 4,096 bytes as a
   * whole on Linux, and the mark needs some of them.
   */
  private static final int PIECE = 1300;

  /** What a line is. */
  enum Kind {
    /** A piece of the line that follows. */
    PIECE,
    PROGRESS,
    /** What the run waits for while the worker goes on. */
    MESSAGE,
    /** What the task comes to; the last line. */
    ANSWER,
    /** Why there is no answer; the last line. */
    FULL;

    private final String lead = MARK + name().toLowerCase(Locale.ROOT) + " ";
  }

  /** A line that says {@code record}. */
  static WorkerLine of(Kind kind, Object record) {
    return new WorkerLine(kind, text(record));
  }

  /** The name of a record, and the record. */
  static String text(Object record) {
    return record.getClass().getSimpleName() + " " + RunJson.line(record);
  }

  /**
   * The record of a text.
   *
   * @param type of the record, or the sealed interface that permits it
   * @throws IOException when the text is cut off
   * @throws IllegalStateException when it is another record
   */
  static <T> T read(String text, Class<T> type) throws IOException {
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IOException("a name and a record are expected: " + text);
    }
    return RunJson.ofLine(text.substring(space + 1), named(text.substring(0, space), type));
  }

  private static <T> Class<? extends T> named(String name, Class<T> type) {
    return Stream.of(type.isSealed() ? type.getPermittedSubclasses() : new Class<?>[] {type})
        .filter(record -> record.getSimpleName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s is expected, not %s".formatted(type.getSimpleName(), name)))
        .asSubclass(type);
  }

  /** Writes it, each piece at once. */
  void writeTo(OutputStream pipe) throws IOException {
    int from = 0;
    for (int to = from + PIECE; to < text.length(); to = from + PIECE) {
      if (Character.isHighSurrogate(text.charAt(to - 1))) {
        to--; // or neither half could be written
      }
      write(Kind.PIECE, text.substring(from, to), pipe);
      from = to;
    }
    write(kind, text.substring(from), pipe);
  }

  private static void write(Kind kind, String text, OutputStream pipe) throws IOException {
    pipe.write(("\n" + kind.lead + text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Finds the lines of a worker in its output. <b>Threads:</b> one. */
  static final class Finder {

    private final StringBuilder pieces = new StringBuilder();

    /** Whether a line of the output is one of the worker's, or a piece of one. */
    static boolean isWorkers(String line) {
      return kind(line).isPresent();
    }

    private static Optional<Kind> kind(String line) {
      return Stream.of(Kind.values()).filter(kind -> line.startsWith(kind.lead)).findFirst();
    }

    /** The worker's line that {@code line} completes; empty for a piece. */
    Optional<WorkerLine> add(String line) {
      Kind kind = kind(line).orElseThrow();
      pieces.append(line, kind.lead.length(), line.length());
      if (kind == Kind.PIECE) {
        return Optional.empty();
      }
      WorkerLine whole = new WorkerLine(kind, pieces.toString());
      pieces.setLength(0);
      return Optional.of(whole);
    }
  }
}
