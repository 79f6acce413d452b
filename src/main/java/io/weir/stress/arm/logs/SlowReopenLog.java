package io.weir.stress.arm.logs;

import io.weir.nrt.ReopenCause;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopenTotals;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Writes a line about each slow reopen and the disk during it, and sums up the causes.
 *
 * <p><b>Threads:</b> the sampling thread of the monitor; after its end, the caller of {@link
 * #values}. <b>Ownership:</b> closes the lines and the stacks. <b>Failure:</b> {@link #close}
 * throws what the first failing line threw.
 */
public final class SlowReopenLog implements SlowReopenListener, Closeable {

  public static final String[] COLUMNS = {
    "arm",
    "round",
    "phase",
    "intended_nanos",
    "finished_nanos",
    "latency_nanos",
    "total_nanos",
    "reopen_phase",
    "cause",
    "share",
    "causes",
    "samples",
    "samples_expected",
    "dirty_bytes",
    "io_pressure",
    "merges"
  };

  /** A smaller share would print as 0.00. */
  private static final double LEAST_SHARE = 0.005;

  /** What the kernel reported at one moment. */
  private record Disk(long atNanos, OptionalLong dirtyBytes, OptionalLong stalledMicros) {}

  private final SlowReopenOptions options;
  private final Timeline timeline;
  private final Procfs procfs;
  private final ArmCsv lines;
  private final SlowStacks stacks;
  private final Map<Phase, SlowReopenTotals> totals = new EnumMap<>(Phase.class);
  private Optional<Disk> begun = Optional.empty(); // of the last reopen whose sampling began
  private Optional<IOException> failure = Optional.empty();

  /**
   * @param options say when a reopen is slow
   * @param lines with {@link #COLUMNS}
   * @param stacks collects the stacks
   */
  public SlowReopenLog(
      SlowReopenOptions options,
      Timeline timeline,
      Procfs procfs,
      ArmCsv lines,
      SlowStacks stacks) {
    this.options = options;
    this.timeline = timeline;
    this.procfs = procfs;
    this.lines = lines;
    this.stacks = stacks;
    for (Phase phase : Phase.values()) {
      totals.put(phase, new SlowReopenTotals());
    }
  }

  /** When a reopen is slow; for the monitor that explains it. */
  public SlowReopenOptions options() {
    return options;
  }

  @Override
  public void samplingBegan() {
    begun = Optional.of(disk());
  }

  @Override
  public void slowReopen(SlowReopen slow) {
    long intended =
        timeline.ofClock(slow.reopen().intendedNanos().orElse(slow.reopen().startedNanos()));
    Phase phase = timeline.phaseOf(intended);
    totals.get(phase).slowReopen(slow);
    stacks.add(slow);
    try {
      line(slow, phase, intended);
    } catch (IOException e) {
      failure = failure.or(() -> Optional.of(e));
    }
  }

  private void line(SlowReopen slow, Phase phase, long intended) throws IOException {
    Disk now = disk();
    long finished = timeline.ofClock(slow.reopen().finishedNanos());
    long started = timeline.ofClock(slow.reopen().startedNanos());
    Optional<Disk> during = begun.filter(disk -> disk.atNanos() >= started);
    lines.line(
        phase.label(),
        intended,
        finished,
        slow.reopen().latencyNanos(),
        slow.reopen().totalNanos(),
        slow.phase().map(ReopenPhase::name).map(SlowReopenLog::spelled),
        spelled(slow.cause().name()),
        twoDigits(slow.share(slow.cause())),
        slow.causeNanos().keySet().stream()
            .filter(cause -> slow.share(cause) >= LEAST_SHARE)
            .map(cause -> spelled(cause.name()) + "=" + twoDigits(slow.share(cause)))
            .collect(Collectors.joining(" ")),
        slow.samplesTaken(),
        slow.samplesExpected(),
        during.orElse(now).dirtyBytes(),
        during.flatMap(then -> pressure(then, now)),
        String.join(" ", slow.merges()));
  }

  private Disk disk() {
    return new Disk(
        timeline.nowNanos(),
        procfs.memInfo().map(MemInfo::dirtyBytes).orElse(OptionalLong.empty()),
        procfs.ioPressure().map(Pressure::someTotalMicros).orElse(OptionalLong.empty()));
  }

  /** The share of the time in which some task was stalled on I/O; empty where it is unknown. */
  private static Optional<String> pressure(Disk from, Disk to) {
    long nanos = to.atNanos() - from.atNanos();
    if (nanos <= 0 || from.stalledMicros().isEmpty() || to.stalledMicros().isEmpty()) {
      return Optional.empty();
    }
    long stalledNanos = (to.stalledMicros().getAsLong() - from.stalledMicros().getAsLong()) * 1000;
    return Optional.of(twoDigits(Math.min(1, (double) stalledNanos / nanos)));
  }

  /** The sums, once the sampling thread has ended. */
  public Values values() {
    Values.Builder values =
        Values.builder().put(ArmFigures.SLOW_THRESHOLD, options.threshold().toMillis());
    for (Phase phase : Phase.MEASURED) {
      SlowReopenTotals of = totals.get(phase);
      values
          .put(ArmFigures.SLOW_REOPENS, phase, of.count())
          .put(ArmFigures.SLOW_LOST, phase, seconds(of.totalNanos()))
          .put(ArmFigures.SLOW_CAUSES, phase, causes(of));
    }
    return values.build();
  }

  private static SlowCauses causes(SlowReopenTotals totals) {
    List<SlowCauses.Cause> causes = new ArrayList<>();
    Map<ReopenCause, Long> reopens = totals.causeReopens();
    totals.causeNanos().entrySet().stream()
        .sorted(Map.Entry.<ReopenCause, Long>comparingByValue().reversed())
        .forEach(
            e ->
                causes.add(
                    new SlowCauses.Cause(
                        spelled(e.getKey().name()),
                        e.getKey().label(),
                        seconds(e.getValue()),
                        Math.round(1e4 * e.getValue() / totals.totalNanos()) / 1e4,
                        reopens.get(e.getKey()))));
    return new SlowCauses(causes);
  }

  private static String spelled(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static String twoDigits(double share) {
    return String.format(Locale.ROOT, "%.2f", share);
  }

  private static double seconds(long nanos) {
    return Math.round(nanos / 1e3) / 1e6;
  }

  @Override
  public void close() throws IOException {
    try (lines;
        stacks) {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }
}
