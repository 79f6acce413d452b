package io.weir.report.model;

import io.weir.run.Phase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * An interval log of HdrHistogram, added up by tag. Each line is read by itself, so an incomplete
 * line loses no other; the library's own reader would stop there.
 *
 * @param byTag in nanoseconds
 * @param unreadableLines how many lines were skipped
 */
public record HistogramLogFile(Map<String, Histogram> byTag, int unreadableLines) {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final String TAG = "Tag=";
  private static final int FIELDS = 5;

  /** Reads {@code file}; a missing file is empty. */
  public static HistogramLogFile read(Path file) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      lines = List.of();
    }
    Map<String, Histogram> byTag = new HashMap<>();
    int unreadable = 0;
    for (String line : lines) {
      if (line.startsWith(TAG)) {
        unreadable += add(byTag, line) ? 0 : 1;
      }
    }
    return new HistogramLogFile(byTag, unreadable);
  }

  /** The values tagged with {@code phase}; callers must not change them. */
  public Histogram of(Phase phase) {
    return byTag.getOrDefault(phase.label(), new Histogram(SIGNIFICANT_DIGITS));
  }

  private static boolean add(Map<String, Histogram> byTag, String line) {
    String[] fields = line.substring(TAG.length()).split(",");
    if (fields.length != FIELDS) {
      return false;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(fields[FIELDS - 1]));
      byTag
          .computeIfAbsent(fields[0], tag -> new Histogram(SIGNIFICANT_DIGITS))
          .add(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
      return true;
    } catch (DataFormatException | RuntimeException e) {
      return false; // the decoder fails in many ways on an incomplete line
    }
  }
}
