package io.weir.stress.arm.logs;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * A CSV file of one arm. Each line begins with the arm's name and its round, and is flushed, so
 * that a JVM that dies leaves all that it wrote.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> closes the writer.
 */
public final class ArmCsv implements Closeable {

  private final CSVPrinter lines;
  private final String arm;
  private final int round;

  /**
   * Writes the header.
   *
   * @param columns their names, {@code arm} and {@code round} first
   */
  public ArmCsv(Writer out, String arm, int round, String... columns) throws IOException {
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(columns).get());
    this.arm = arm;
    this.round = round;
  }

  /** Writes one line; an empty {@code Optional} or {@code OptionalLong} leaves its cell empty. */
  public void line(Object... cells) throws IOException {
    lines.printRecord(Stream.concat(Stream.of(arm, round), Arrays.stream(cells).map(ArmCsv::text)));
    lines.flush();
  }

  /** Whose file it is: {@code arm, round 1}. */
  String title() {
    return "%s, round %d".formatted(arm, round);
  }

  private static String text(Object cell) {
    return switch (cell) {
      case Optional<?> value -> value.map(Object::toString).orElse("");
      case OptionalLong value -> value.isPresent() ? Long.toString(value.getAsLong()) : "";
      default -> cell.toString();
    };
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
