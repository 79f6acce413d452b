package io.weir.report.model;

import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVRecord;

/**
 * The lines of {@code reopens.csv}, {@code slow-reopens.csv}, {@code gc.csv} and {@code series.csv}
 * by arm and round.
 *
 * <p><b>Failure:</b> a missing file leaves its part empty and is in {@link #missingFiles}. An
 * incomplete line, such as the last line of a killed run, is counted in {@link #unreadableLines}
 * and skipped.
 */
public final class Timelines {
  private static final List<String> WORDS =
      List.of("arm", "round", "phase", "time_nanos", "cap_state", "goal_reason", "result");

  /**
   * The parts of a line of {@code slow-reopens.csv} that a chart shows.
   *
   * @param intendedNanos the intended start, which identifies the reopen; since the arm began to
   *     measure
   * @param cause the main cause
   * @param share the cause's share of {@code totalNanos}, from 0 to 1
   */
  public record SlowReopen(long intendedNanos, String cause, double share, long totalNanos) {}

  /**
   * A line of {@code gc.csv}.
   *
   * @param startNanos since the arm began to measure
   * @param durationNanos how long all threads were stopped
   * @param collector empty when the JVM did not report it; likewise {@code cause}
   * @param name the name of the pause
   * @param cause why the collector ran
   */
  public record GcPause(
      long startNanos, long durationNanos, String collector, String name, String cause) {}

  /** One arm, one round. */
  private record Key(String arm, String round) {}

  private final Map<Key, List<ReopenRow>> reopens = new HashMap<>();
  private final Map<Key, List<SlowReopen>> slowReopens = new HashMap<>();
  private final Map<Key, List<GcPause>> gcPauses = new HashMap<>();
  private final Map<Key, Samples> samples = new HashMap<>();
  private int unreadableLines;
  private final List<String> missingFiles = new ArrayList<>();

  private Timelines() {}

  public static Timelines read(RunFiles files) throws IOException {
    Timelines timelines = new Timelines();
    timelines.readLines(files.reopensCsv(), timelines::addReopen);
    timelines.readLines(files.slowReopensCsv(), timelines::addSlowReopen);
    timelines.readLines(files.gcCsv(), timelines::addGcPause);
    timelines.readLines(files.seriesCsv(), timelines::addSample);
    return timelines;
  }

  public List<ReopenRow> reopens(Part arm) {
    return reopens.getOrDefault(key(arm), List.of());
  }

  public List<SlowReopen> slowReopens(Part arm) {
    return slowReopens.getOrDefault(key(arm), List.of());
  }

  public List<GcPause> gcPauses(Part arm) {
    return gcPauses.getOrDefault(key(arm), List.of());
  }

  public Samples samples(Part arm) {
    return samples.getOrDefault(key(arm), new Samples());
  }

  /** Names of the files that are not there. */
  public List<String> missingFiles() {
    return missingFiles;
  }

  public int unreadableLines() {
    return unreadableLines;
  }

  private static Key key(Part arm) {
    return new Key(arm.name(), Integer.toString(arm.round()));
  }

  private void readLines(Path file, Consumer<CSVRecord> add) throws IOException {
    if (!Files.exists(file)) {
      missingFiles.add(file.getFileName().toString());
    }
    unreadableLines +=
        CsvFile.read(
            file,
            line -> {
              if (!line.get("phase").equals(Phase.WARMUP.label())) {
                add.accept(line);
              }
            });
  }

  private void addReopen(CSVRecord line) {
    OptionalLong finished = CsvFile.optional(line, "finished_nanos");
    ReopenRow row =
        new ReopenRow(
            line.get("phase"),
            Long.parseLong(line.get("intended_nanos")),
            finished,
            finished.isEmpty() || line.get("result").equals("failed"),
            CsvFile.optional(line, "started_nanos"),
            partNanos(line));
    reopens
        .computeIfAbsent(new Key(line.get("arm"), line.get("round")), key -> new ArrayList<>())
        .add(row);
  }

  private static Map<ReopenPart, Long> partNanos(CSVRecord line) {
    Map<ReopenPart, Long> nanosByPart = new EnumMap<>(ReopenPart.class);
    for (ReopenPart part : ReopenPart.values()) {
      part.column()
          .ifPresent(
              column ->
                  CsvFile.optional(line, column).ifPresent(nanos -> nanosByPart.put(part, nanos)));
    }
    return nanosByPart;
  }

  private void addSlowReopen(CSVRecord line) {
    SlowReopen row =
        new SlowReopen(
            Long.parseLong(line.get("intended_nanos")),
            line.get("cause"),
            Double.parseDouble(line.get("share")),
            Long.parseLong(line.get("total_nanos")));
    slowReopens
        .computeIfAbsent(new Key(line.get("arm"), line.get("round")), key -> new ArrayList<>())
        .add(row);
  }

  private void addGcPause(CSVRecord line) {
    GcPause row =
        new GcPause(
            Long.parseLong(line.get("start_nanos")),
            Long.parseLong(line.get("duration_nanos")),
            line.get("collector"),
            line.get("name"),
            line.get("cause"));
    gcPauses
        .computeIfAbsent(new Key(line.get("arm"), line.get("round")), key -> new ArrayList<>())
        .add(row);
  }

  private void addSample(CSVRecord line) {
    Map<String, Long> cells = new HashMap<>();
    line.toMap()
        .forEach(
            (column, text) -> {
              if (!WORDS.contains(column) && !text.isEmpty()) {
                cells.put(column, Long.parseLong(text));
              }
            });
    if (line.isMapped("cap_state") && line.get("cap_state").equals("paused")) {
      // A paused cap is a rate of 0, for which the file has no figure.
      cells.put("cap_bytes_per_second", 0L);
    }
    samples
        .computeIfAbsent(new Key(line.get("arm"), line.get("round")), key -> new Samples())
        .add(Long.parseLong(line.get("time_nanos")), line.get("phase"), cells);
  }
}
