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
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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
  private final Stacks stacks;
  private final Map<Phase, SlowReopenTotals> totals = new EnumMap<>(Phase.class);
  private Optional<Disk> begun = Optional.empty(); // of the last reopen whose sampling began
  private Optional<IOException> failure = Optional.empty();

  /**
   * @param options say when a reopen is slow
   * @param lines with {@link #COLUMNS}
   * @param stacks where it writes the stacks when it is closed
   */
  public SlowReopenLog(
      SlowReopenOptions options, Timeline timeline, Procfs procfs, ArmCsv lines, Writer stacks) {
    this.options = options;
    this.timeline = timeline;
    this.procfs = procfs;
    this.lines = lines;
    this.stacks = new Stacks(stacks, lines.title());
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

  /**
   * The distinct stacks of an arm's slow reopens, as text for people.
   *
   * <p><b>Ownership:</b> writes and closes its file when it is closed.
   */
  static final class Stacks implements Closeable {

    /** Of further stacks only the time of their cause is kept. */
    private static final int MAX_STACKS = 1000;

    private record Key(ReopenCause cause, List<StackTraceElement> frames) {}

    private static final class Tally {
      private long samples;
      private long nanos;
      private long reopens;
    }

    private final Writer out;
    private final String title;
    private final Map<Key, Tally> tallies = new LinkedHashMap<>();

    /** No stacks yet. */
    Stacks(Writer out, String title) {
      this.out = out;
      this.title = title;
    }

    void add(SlowReopen slow) {
      for (SlowReopen.Stack stack : slow.stacks()) {
        Key key = new Key(stack.cause(), stack.frames());
        if (tallies.size() >= MAX_STACKS && !tallies.containsKey(key)) {
          key = new Key(stack.cause(), List.of());
        }
        Tally tally = tallies.computeIfAbsent(key, k -> new Tally());
        tally.samples += stack.samples();
        tally.nanos += stack.nanos();
        tally.reopens++;
      }
    }

    /** Writes them, those with the most time first; nothing if there are none. */
    @Override
    public void close() throws IOException {
      try (out) {
        if (!tallies.isEmpty()) {
          write();
        }
      }
    }

    private void write() throws IOException {
      line("== %s: where slow reopens were, the warm-up included", title);
      List<Map.Entry<Key, Tally>> sorted =
          tallies.entrySet().stream()
              .sorted(
                  Comparator.comparingLong((Map.Entry<Key, Tally> e) -> e.getValue().nanos)
                      .reversed())
              .toList();
      for (Map.Entry<Key, Tally> entry : sorted) {
        Tally tally = entry.getValue();
        line(
            "%n%s: %.3f s, samples: %d, reopens: %d",
            entry.getKey().cause().label(), tally.nanos / 1e9, tally.samples, tally.reopens);
        for (StackTraceElement frame : entry.getKey().frames()) {
          line("    at %s", frame);
        }
        if (entry.getKey().frames().isEmpty()) {
          line("    further stacks, not kept");
        }
      }
      line("");
    }

    private void line(String form, Object... values) throws IOException {
      out.write(String.format(Locale.ROOT, form, values).replace("\r", "") + "\n");
    }
  }
}
