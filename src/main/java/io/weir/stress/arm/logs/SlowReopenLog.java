package io.weir.stress.arm.logs;

import io.weir.nrt.ReopenCause;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopenOptions;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.meters.MergeMeter;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.SlowReopenCause;
import io.weir.stress.result.SlowReopenResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a line about each slow reopen, with what the disk did meanwhile, and adds up the causes.
 *
 * <p><b>Threads:</b> that of the sampler; when it has ended, the one that asks for the result.
 * <b>Ownership:</b> closes both writers. <b>Failure:</b> a line that cannot be written is told at
 * the end, by {@link #close}.
 */
public final class SlowReopenLog implements SlowReopenListener, Closeable {

  static final String[] COLUMNS = {
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

  /** What would be spelled 0.00 says nothing. */
  private static final double LEAST_SHARE = 0.005;

  private static final class Tally {
    private long reopens;
    private long nanos;
    private final Map<ReopenCause, Long> causeNanos = new EnumMap<>(ReopenCause.class);
    private final Map<ReopenCause, Long> causeReopens = new EnumMap<>(ReopenCause.class);
  }

  /** What the kernel told at one moment. */
  private record Disk(long atNanos, OptionalLong dirtyBytes, OptionalLong stalledMicros) {}

  private final Timeline timeline;
  private final String arm;
  private final int round;
  private final Duration threshold;
  private final Procfs procfs;
  private final MergeMeter meter;
  private final CSVPrinter lines;
  private final Writer stacksOut;
  private final SlowStacks stacks = new SlowStacks();
  private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);
  private Disk begun; // of the last reopen whose sampling began
  private IOException failure;

  /**
   * @param threshold of a slow reopen
   * @param out for the lines
   * @param stacksOut for the stacks, written at the end
   */
  public SlowReopenLog(
      Timeline timeline,
      String arm,
      int round,
      Duration threshold,
      Procfs procfs,
      MergeMeter meter,
      Writer out,
      Writer stacksOut)
      throws IOException {
    this.timeline = timeline;
    this.arm = arm;
    this.round = round;
    this.threshold = threshold;
    this.procfs = procfs;
    this.meter = meter;
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(COLUMNS).get());
    this.stacksOut = stacksOut;
    for (Phase phase : Phase.values()) {
      tallies.put(phase, new Tally());
    }
  }

  public SlowReopenOptions options() {
    return SlowReopenOptions.defaults()
        .withThreshold(threshold)
        .withRecent(0)
        .withMerges(meter::runningMerges);
  }

  @Override
  public void samplingBegan() {
    begun = disk();
  }

  @Override
  public void slowReopen(SlowReopen slow) {
    long intended =
        timeline.ofClock(slow.reopen().intendedNanos().orElse(slow.reopen().startedNanos()));
    Phase phase = timeline.phaseOf(intended);
    Tally tally = tallies.get(phase);
    tally.reopens++;
    tally.nanos += slow.reopen().totalNanos();
    slow.causeNanos()
        .forEach(
            (cause, nanos) -> {
              tally.causeNanos.merge(cause, nanos, Long::sum);
              tally.causeReopens.merge(cause, 1L, Long::sum);
            });
    stacks.add(slow);
    try {
      line(slow, phase, intended);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
  }

  private void line(SlowReopen slow, Phase phase, long intended) throws IOException {
    Disk now = disk();
    long finished = timeline.ofClock(slow.reopen().finishedNanos());
    long started = timeline.ofClock(slow.reopen().startedNanos());
    Disk meanwhile = begun != null && begun.atNanos() >= started ? begun : null;
    OptionalLong dirtyBytes = (meanwhile == null ? now : meanwhile).dirtyBytes();
    lines.printRecord(
        arm,
        round,
        phase.label(),
        intended,
        finished,
        slow.reopen().latencyNanos(),
        slow.reopen().totalNanos(),
        slow.phase().map(ReopenPhase::name).map(SlowReopenLog::spelled).orElse(null),
        spelled(slow.cause().name()),
        twoDigits(slow.share(slow.cause())),
        slow.causeNanos().keySet().stream()
            .filter(cause -> slow.share(cause) >= LEAST_SHARE)
            .map(cause -> spelled(cause.name()) + "=" + twoDigits(slow.share(cause)))
            .collect(Collectors.joining(" ")),
        slow.samplesTaken(),
        slow.samplesExpected(),
        dirtyBytes.isPresent() ? dirtyBytes.getAsLong() : null,
        meanwhile == null ? null : pressure(meanwhile, now),
        String.join(" ", slow.merges()));
    lines.flush();
  }

  private Disk disk() {
    return new Disk(
        timeline.nowNanos(),
        procfs.memInfo().map(MemInfo::dirtyBytes).orElse(OptionalLong.empty()),
        procfs.ioPressure().map(Pressure::someTotalMicros).orElse(OptionalLong.empty()));
  }

  /** The part of the time in which some task stood still for input or output; null if unknown. */
  private static String pressure(Disk from, Disk to) {
    long nanos = to.atNanos() - from.atNanos();
    if (nanos <= 0 || from.stalledMicros().isEmpty() || to.stalledMicros().isEmpty()) {
      return null;
    }
    long stalledNanos = (to.stalledMicros().getAsLong() - from.stalledMicros().getAsLong()) * 1000;
    return twoDigits(Math.min(1, (double) stalledNanos / nanos));
  }

  /** What it all came to; when the sampler has ended. */
  public SlowReopenResult result() {
    return new SlowReopenResult(
        threshold.toMillis(),
        Phases.each(phase -> tallies.get(phase).reopens),
        Phases.each(phase -> seconds(tallies.get(phase).nanos)),
        Phases.each(phase -> causes(tallies.get(phase))));
  }

  private static List<SlowReopenCause> causes(Tally tally) {
    List<SlowReopenCause> causes = new ArrayList<>();
    tally.causeNanos.entrySet().stream()
        .sorted(Map.Entry.<ReopenCause, Long>comparingByValue().reversed())
        .forEach(
            e ->
                causes.add(
                    new SlowReopenCause(
                        spelled(e.getKey().name()),
                        e.getKey().label(),
                        seconds(e.getValue()),
                        Math.round(1e4 * e.getValue() / tally.nanos) / 1e4,
                        tally.causeReopens.get(e.getKey()))));
    return causes;
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
        stacksOut) {
      stacks.write(stacksOut, arm, round);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
