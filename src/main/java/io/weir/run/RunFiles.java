package io.weir.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * The files of one run directory: their names, and {@code run.json} to and from {@link Run}.
 *
 * <p><b>Threads:</b> immutable; two writers of the same file at once are the caller's mistake.
 *
 * <p><b>Failure:</b> a file is replaced as a whole or not at all, so a reader never meets half of
 * one. A run that cannot be read is an {@link IOException} whose message is fit for a user.
 */
public final class RunFiles {

  private static final String VERSION = "schemaVersion";

  private final Path directory;

  /** Names the files of {@code directory}, which need not exist before the first write. */
  public RunFiles(Path directory) {
    this.directory = directory;
  }

  /** The run directory itself. */
  public Path directory() {
    return directory;
  }

  /** The directory of temporary files, which exists only while the run lasts. */
  public Path scratch() {
    return directory.resolve(".work");
  }

  /** A file there that says whose it is. */
  public Path claim() {
    return scratch().resolve("claim");
  }

  /** All results and what they were measured on. */
  public Path runJson() {
    return directory.resolve("run.json");
  }

  /** What was searched for, in this order. */
  public Path queriesText() {
    return directory.resolve("queries.txt");
  }

  /** One line a scheduled reopen. */
  public Path reopensCsv() {
    return directory.resolve("reopens.csv");
  }

  /** One line a sample, ten a second. */
  public Path seriesCsv() {
    return directory.resolve("series.csv");
  }

  /** One line a slow reopen. */
  public Path slowReopensCsv() {
    return directory.resolve("slow-reopens.csv");
  }

  /** One line a pause of the garbage collector. */
  public Path gcCsv() {
    return directory.resolve("gc.csv");
  }

  /** The stacks of slow reopens, for people. */
  public Path slowReopensText() {
    return directory.resolve("slow-reopens.txt");
  }

  /** Whether objectives were met, for build servers; there when any were set. */
  public Path sloXml() {
    return directory.resolve("slo.xml");
  }

  /** The page to look at. */
  public Path reportHtml() {
    return directory.resolve("report.html");
  }

  /** A picture of it, to put elsewhere. */
  public Path reportSvg() {
    return directory.resolve("report.svg");
  }

  /** Reopen latency against the price of caps; there when a run has several. */
  public Path sweepSvg() {
    return directory.resolve("sweep.svg");
  }

  /** Interval log of search latencies. */
  public Path searchesHistogramLog(String arm, int round) {
    return directory.resolve("searches-" + stem(arm) + "-" + round + ".hlog");
  }

  /** Interval log of reopen latencies. */
  public Path reopensHistogramLog(String arm, int round) {
    return directory.resolve("reopens-" + stem(arm) + "-" + round + ".hlog");
  }

  /** What the server of an arm wrote to its output, in a run on an engine. */
  public Path serverLog(String arm, int round) {
    return directory.resolve("server-" + stem(arm) + "-" + round + ".log");
  }

  /** The flight recording of an arm's JVM, if the run has one. */
  public Path flightRecording(String arm, int round) {
    return directory.resolve(stem(arm) + "-" + round + ".jfr");
  }

  /** Each request of an arm of {@code weir load}, one a line, compressed. */
  public Path requests(String arm, int round) {
    return directory.resolve("requests-" + stem(arm) + "-" + round + ".csv.gz");
  }

  /** Response times of an arm of {@code weir load}: a histogram a step, tagged with its number. */
  public Path responsesHistogramLog(String arm, int round) {
    return directory.resolve("responses-" + stem(arm) + "-" + round + ".hlog");
  }

  /** Heap, resident memory and counters of the server of {@code weir load}, ten times a second. */
  public Path seriesCsv(String arm, int round) {
    return directory.resolve("series-" + stem(arm) + "-" + round + ".csv");
  }

  /** Pauses of the collector of that server. */
  public Path gcCsv(String arm, int round) {
    return directory.resolve("gc-" + stem(arm) + "-" + round + ".csv");
  }

  /** Writes {@code run.json}, and the directory when it is not there yet. */
  public void write(Run run) throws IOException {
    RunJson.write(runJson(), run);
  }

  /**
   * Reads {@code run.json}, or what the first form has in its place; ignores properties that this
   * version does not know.
   */
  public Run read() throws IOException {
    Path loadJson = directory.resolve(FirstForm.LOAD_JSON);
    return Files.exists(loadJson) && !Files.exists(runJson()) ? read(loadJson) : read(runJson());
  }

  private Run read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new IOException("not a run directory, it has no run.json: " + directory, e);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " cannot be read: it is not UTF-8 text", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + FailureWords.of(e), e);
    }
    try {
      JsonNode tree = RunJson.parse(text);
      if (!tree.path(VERSION).isInt()) {
        throw new IOException(
            "not the %s of a Weir run, no schemaVersion: %s".formatted(file.getFileName(), file));
      }
      return switch (tree.path(VERSION).intValue()) {
        case Run.SCHEMA_VERSION -> RunJson.ofTree(tree, Run.class);
        case FirstForm.SCHEMA_VERSION -> RunJson.ofTree(FirstForm.upgrade(tree), Run.class);
        default ->
            throw new IOException(
                "%s was written by another version of Weir: schemaVersion must be %d or %d: %d"
                    .formatted(
                        file,
                        FirstForm.SCHEMA_VERSION,
                        Run.SCHEMA_VERSION,
                        tree.path(VERSION).intValue()));
      };
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s cannot be read as a run: %s"
              .formatted(file, e.getOriginalMessage().replaceAll("; `Deserialization.*", "")),
          e);
    }
  }

  /**
   * An arm in the names of files: {@code cap=10MB/s} is {@code cap-10MB-s}. ASCII letters, digits,
   * dots and underscores stay; what is between them becomes one hyphen. Eight hexadecimal digits
   * stand for letters of other scripts, which some file systems do not take.
   *
   * <p>A run refuses two arms with the same stem, so no arm writes the files of another.
   */
  public static String stem(String arm) {
    String plain = arm.replaceAll("[^A-Za-z0-9._]+", "-").replaceAll("^-|-$", "");
    boolean whole = !plain.isEmpty() && arm.chars().noneMatch(c -> c >= 128);
    return whole ? plain : (plain + "-%08x".formatted(checksum(arm))).replaceAll("^-", "");
  }

  private static long checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }
}
