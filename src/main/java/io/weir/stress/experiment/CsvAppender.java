package io.weir.stress.experiment;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Adds the lines of one arm to the file of the run. A last line without its end, left by a JVM that
 * was killed, is dropped.
 */
public final class CsvAppender {

  private CsvAppender() {}

  /** Appends {@code from}, without its header if {@code to} has one already; it may be missing. */
  public static void append(Path from, Path to) throws IOException {
    if (!Files.exists(from)) {
      return;
    }
    byte[] lines = Files.readAllBytes(from);
    boolean headed = Files.exists(to) && Files.size(to) > 0;
    append(lines, headed ? indexAfterLine(lines, 0) : 0, to);
  }

  /** Appends {@code from}, which has no header and may be missing. */
  static void appendText(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      append(Files.readAllBytes(from), 0, to);
    }
  }

  private static void append(byte[] lines, int start, Path to) throws IOException {
    int end = lines.length;
    while (end > start && lines[end - 1] != '\n') {
      end--;
    }
    try (OutputStream out =
        Files.newOutputStream(to, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(lines, start, end - start);
    }
  }

  private static int indexAfterLine(byte[] lines, int from) {
    int i = from;
    while (i < lines.length && lines[i] != '\n') {
      i++;
    }
    return Math.min(lines.length, i + 1);
  }
}
