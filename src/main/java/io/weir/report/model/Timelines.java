package io.weir.report.model;

import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
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

  /** One arm, one round. */
  private record Key(String arm, String round) {}

  private final Map<Key, List<ReopenRow>> reopens = new HashMap<>();
  private final Map<Key, List<SlowReopenRow>> slowReopens = new HashMap<>();
  private final Map<Key, List<GcPauseRow>> gcPauses = new HashMap<>();
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

  public List<SlowReopenRow> slowReopens(Part arm) {
    return slowReopens.getOrDefault(key(arm), List.of());
  }

  public List<GcPauseRow> gcPauses(Part arm) {
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
      return;
    }
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    try (Reader in = Files.newBufferedReader(file);
        CSVParser parser = CSVParser.parse(in, format)) {
      Iterator<CSVRecord> records = parser.iterator();
      while (hasNext(records)) {
        try {
          CSVRecord line = records.next();
          if (!line.isConsistent()) {
            throw new IllegalArgumentException("not a whole line");
          }
          if (!line.get("phase").equals(Phase.WARMUP.label())) {
            add.accept(line);
          }
        } catch (IllegalArgumentException e) {
          unreadableLines++;
        }
      }
    }
  }

  /** False at the end, and after an open quote: nothing after it can be parsed. */
  private boolean hasNext(Iterator<CSVRecord> records) {
    try {
      return records.hasNext();
    } catch (UncheckedIOException | IllegalStateException e) {
      unreadableLines++;
      return false;
    }
  }

  private void addReopen(CSVRecord line) {
    String finished = line.get("finished_nanos");
    ReopenRow row =
        new ReopenRow(
            line.get("phase"),
            Long.parseLong(line.get("intended_nanos")),
            finished.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(finished)),
            finished.isEmpty() || line.get("result").equals("failed"),
            optional(line, "started_nanos"),
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
              column -> optional(line, column).ifPresent(nanos -> nanosByPart.put(part, nanos)));
    }
    return nanosByPart;
  }

  /** Empty when the cell is empty or the file lacks the column. */
  private static OptionalLong optional(CSVRecord line, String column) {
    String text = line.isMapped(column) ? line.get(column) : "";
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  private void addSlowReopen(CSVRecord line) {
    SlowReopenRow row =
        new SlowReopenRow(
            Long.parseLong(line.get("intended_nanos")),
            line.get("cause"),
            Double.parseDouble(line.get("share")),
            Long.parseLong(line.get("total_nanos")));
    slowReopens
        .computeIfAbsent(new Key(line.get("arm"), line.get("round")), key -> new ArrayList<>())
        .add(row);
  }

  private void addGcPause(CSVRecord line) {
    GcPauseRow row =
        new GcPauseRow(
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
