package io.weir.report.model;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A file of a run directory with a header and a sample or an operation a line.
 *
 * <p><b>Failure:</b> an incomplete line, such as the last line of a killed run, is counted and
 * skipped. A missing file has no lines.
 */
public final class CsvFile {

  private CsvFile() {}

  /**
   * Reads the lines of {@code file} in their order.
   *
   * @param add takes one; an {@link IllegalArgumentException} says that it cannot be read
   * @return how many could not be read
   */
  public static int read(Path file, Consumer<CSVRecord> add) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    int unreadable = 0;
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    try (Reader in = Files.newBufferedReader(file);
        CSVParser parser = CSVParser.parse(in, format)) {
      Iterator<CSVRecord> lines = parser.iterator();
      while (true) {
        try {
          if (!lines.hasNext()) {
            return unreadable;
          }
        } catch (UncheckedIOException | IllegalStateException e) {
          return unreadable + 1; // an open quote: nothing after it can be parsed
        }
        try {
          CSVRecord line = lines.next();
          if (!line.isConsistent()) {
            throw new IllegalArgumentException("not a whole line");
          }
          add.accept(line);
        } catch (IllegalArgumentException e) {
          unreadable++;
        }
      }
    }
  }

  /** Empty when the cell is empty or the file lacks the column. */
  public static OptionalLong optional(CSVRecord line, String column) {
    String text = line.isMapped(column) ? line.get(column) : "";
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
