package io.weir.stress.arm.meters;

import io.weir.figure.Shown;
import io.weir.figure.SourceFigures;
import io.weir.merge.MergeActivity;
import io.weir.procfs.CgroupStat;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.rate.BudgetSnapshot;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Looks at everything at once and writes one line about it: the load, the kernel's page cache, and
 * what the {@link Source} adds.
 *
 * <p>What cannot be read leaves its cell empty.
 *
 * <p><b>Threads:</b> {@link #sample} from one thread. <b>Ownership:</b> closes the lines.
 */
public final class Sampler implements Closeable {

  /** The cells of a line, after those of the arm and the round. */
  public enum Column {
    PHASE,
    TIME_NANOS,
    SEARCHES,
    UPDATES,
    COMMITS,
    SEARCH_MAX_NANOS,
    DIRTY_BYTES,
    WRITEBACK_BYTES,
    DIRTY_THRESHOLD_BYTES,
    DIRTY_BACKGROUND_THRESHOLD_BYTES,
    DIRTIED_BYTES,
    WRITTEN_BYTES,
    MERGE_WRITTEN_BYTES,
    MERGE_CHARGED_BYTES,
    MERGES_RUNNING,
    MERGE_DEBT_BYTES,
    CAP_STATE,
    CAP_BYTES_PER_SECOND,
    PAUSED_NANOS,
    PAUSED_THREADS,
    PROCESS_READ_BYTES,
    PROCESS_WRITTEN_BYTES,
    PRESSURE_SOME_MICROS,
    PRESSURE_FULL_MICROS,
    HEAP_USED_BYTES,
    RSS_BYTES,
    GC_COUNT,
    GC_MILLIS,
    HEAP_COMMITTED_BYTES,
    GOAL_LIMIT_NANOS,
    GOAL_SEEN_NANOS,
    GOAL_FLOOR_BYTES_PER_SECOND,
    GOAL_REASON,
    DEADLINE_REMAINING_NANOS,
    REFAULTED_BYTES,
    MERGE_CPU_NANOS,
    PROCESS_CPU_NANOS,
    MACHINE_CPU_NANOS
  }

  /** The names of the cells: those above, then what sources of Weir's show besides. */
  private static final List<String> NAMES =
      Stream.concat(
              Arrays.stream(Column.values()).map(Sampler::name),
              Stream.of(BudgetSnapshot.FIGURES, MergeActivity.FIGURES)
                  .flatMap(source -> source.in(Shown.SAMPLE))
                  .map(figure -> figure.name(Shown.SAMPLE)))
          .distinct()
          .toList();

  public static final String[] COLUMNS =
      Stream.concat(Stream.of("arm", "round"), NAMES.stream()).toArray(String[]::new);

  private static String name(Column column) {
    return column.name().toLowerCase(Locale.ROOT);
  }

  /** What only one kind of target can tell of a moment. */
  @FunctionalInterface
  public interface Source {

    /** Fills its cells; it may wait once it has read them all. */
    void sample(Line line);

    /** Whether the target runs in this process's control group; else the whole machine is told. */
    default boolean isOfThisGroup() {
      return true;
    }
  }

  /** One look. */
  public static final class Line {

    private final long nanos;
    private final Map<String, Object> cells = new HashMap<>();

    Line(long nanos) {
      this.nanos = nanos;
    }

    /** When it began, on the arm's timeline. */
    public long nanos() {
      return nanos;
    }

    /** Fills a cell; an empty {@code Optional} or {@code OptionalLong} leaves it empty. */
    public Line put(Column column, Object cell) {
      cells.put(name(column), cell);
      return this;
    }

    /** Fills the cells of a source's figures, if there is such a source. */
    <S> Line put(SourceFigures<S> figures, Optional<S> source) {
      source.ifPresent(
          now ->
              figures
                  .in(Shown.SAMPLE)
                  .forEach(
                      figure ->
                          cells.put(figure.name(Shown.SAMPLE), figure.in(Shown.SAMPLE, now))));
      return this;
    }

    /** Fills the cell with a field of what was read, if it was. */
    <T> Line put(Column column, Optional<T> read, Function<T, OptionalLong> field) {
      return put(column, value(read, field));
    }
  }

  private final Timeline timeline;
  private final Optional<Procfs> machine;
  private final Load load;
  private final Source source;
  private final ArmCsv lines;
  private final boolean groupTellsRefaults;
  private final Refaults refaults;
  private final Map<Phase, Long> dirtyPeaks = new EnumMap<>(Phase.class);
  private volatile Optional<Long> dirtyBytes = Optional.empty();

  /**
   * A sampler that has not looked yet.
   *
   * @param machine where the target's machine is described; empty if that is another one
   * @param lines with {@link #COLUMNS}
   */
  public Sampler(
      Timeline timeline, Optional<Procfs> machine, Load load, Source source, ArmCsv lines) {
    this.timeline = timeline;
    this.machine = machine;
    this.load = load;
    this.source = source;
    this.lines = lines;
    this.groupTellsRefaults = source.isOfThisGroup() && groupsRefaults().isPresent();
    this.refaults = new Refaults(timeline);
  }

  /** Writes one line about now. */
  public void sample() throws IOException {
    Line line = new Line(timeline.nowNanos());
    Phase phase = timeline.phaseOf(line.nanos());
    Optional<MemInfo> memInfo = machine.flatMap(Procfs::memInfo);
    Optional<VmStat> vmStat = machine.flatMap(Procfs::vmStat);
    Optional<Pressure> pressure = machine.flatMap(Procfs::ioPressure);
    dirtyBytes = value(memInfo, MemInfo::dirtyBytes);
    if (phase != Phase.WARMUP) {
      dirtyBytes.ifPresent(bytes -> dirtyPeaks.merge(phase, bytes, Math::max));
    }
    Optional<Long> refaultedBytes =
        groupTellsRefaults ? groupsRefaults() : value(vmStat, VmStat::refaultedBytes);
    refaultedBytes.ifPresent(bytes -> refaults.look(line.nanos(), bytes));
    long searchMaxNanos = load.searches().takeRecentMaxNanos();
    line.put(Column.PHASE, phase.label())
        .put(Column.TIME_NANOS, line.nanos())
        .put(Column.SEARCHES, load.searches().finished())
        .put(Column.UPDATES, load.updates().finished())
        .put(Column.COMMITS, load.commits().finished())
        .put(
            Column.SEARCH_MAX_NANOS,
            searchMaxNanos < 0 ? OptionalLong.empty() : OptionalLong.of(searchMaxNanos))
        .put(Column.DIRTY_BYTES, dirtyBytes)
        .put(Column.WRITEBACK_BYTES, memInfo, MemInfo::writebackBytes)
        .put(Column.DIRTY_THRESHOLD_BYTES, vmStat, VmStat::dirtyThresholdBytes)
        .put(Column.DIRTY_BACKGROUND_THRESHOLD_BYTES, vmStat, VmStat::dirtyBackgroundThresholdBytes)
        .put(Column.DIRTIED_BYTES, vmStat, VmStat::dirtiedBytes)
        .put(Column.WRITTEN_BYTES, vmStat, VmStat::writtenBytes)
        .put(Column.REFAULTED_BYTES, refaultedBytes)
        .put(Column.PRESSURE_SOME_MICROS, pressure, Pressure::someTotalMicros)
        .put(Column.PRESSURE_FULL_MICROS, pressure, Pressure::fullTotalMicros);
    source.sample(line);
    lines.line(
        NAMES.stream().map(name -> line.cells.getOrDefault(name, Optional.empty())).toArray());
  }

  /** The most dirty bytes seen, the warm-up left out; nothing where they are not known. */
  public Values dirty() {
    Values.Builder values =
        Values.builder()
            .put(ArmFigures.DIRTY_PEAK, dirtyPeaks.values().stream().max(Long::compare));
    dirtyPeaks.forEach((phase, bytes) -> values.put(ArmFigures.DIRTY_PEAK_OF, phase, bytes));
    return values.build();
  }

  /** What was read again; after the last sample. */
  public Refaults refaults() {
    return refaults;
  }

  private Optional<Long> groupsRefaults() {
    return value(machine.flatMap(Procfs::cgroupStat), CgroupStat::refaultedBytes);
  }

  /** The most recent dirty bytes; empty where they are not known. */
  public Optional<Long> recentDirtyBytes() {
    return dirtyBytes;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private static <T> Optional<Long> value(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).filter(OptionalLong::isPresent).map(OptionalLong::getAsLong);
  }
}
