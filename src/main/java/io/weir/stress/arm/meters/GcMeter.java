package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Garbage collections of the arm's JVM: how many, and how long they paused all threads.
 *
 * <p>It starts before the load, because the JVM's flight recorder takes some tenths of a second to
 * start. <b>Threads:</b> one at a time. <b>Failure:</b> where the JVM does not report its pauses,
 * the result has none, and there is a warning.
 */
public final class GcMeter implements Closeable {

  /** Of the line about each pause while the load ran. */
  public static final String[] COLUMNS = {
    "arm", "round", "phase", "start_nanos", "duration_nanos", "collector", "name", "cause"
  };

  private final GcCounters counters = new GcCounters();
  private Optional<GcEvents> events = Optional.empty();
  private Optional<String> unavailable = Optional.empty(); // why there are no events

  /**
   * Starts to listen.
   *
   * @param repository where the JVM may keep files; the caller deletes them
   */
  public GcMeter(NanoClock clock, Path repository) {
    try {
      events = Optional.of(new GcEvents(clock, repository));
    } catch (LinkageError | Exception e) {
      unavailable = Optional.of(e.toString());
    }
  }

  /**
   * The load begins.
   *
   * @param lines with {@link #COLUMNS}
   * @param stopped whether the user ended the arm: the JVM may then have stopped its recorder
   */
  public During begin(Timeline timeline, ArmCsv lines, BooleanSupplier stopped) {
    return new During(new Pauses(timeline, lines), stopped);
  }

  /**
   * The collections while the load runs.
   *
   * <p><b>Ownership:</b> closes the lines.
   */
  public final class During implements Meter, Closeable {

    private final Pauses pauses;
    private final BooleanSupplier stopped;
    private final long countBefore = counters.count();
    private final long millisBefore = counters.millis();
    private Optional<IOException> failure = Optional.empty();

    private During(Pauses pauses, BooleanSupplier stopped) {
      this.pauses = pauses;
      this.stopped = stopped;
    }

    /** Writes the pauses that are known by now. */
    @Override
    public void look() {
      if (failure.isEmpty()) {
        events.ifPresent(GcEvents::mark);
        write();
      }
    }

    /** Waits for the last pauses. */
    @Override
    public Values values() throws IOException {
      long collections = counters.count() - countBefore;
      long millis = counters.millis() - millisBefore;
      events.ifPresent(GcEvents::close);
      write();
      if (failure.isPresent()) {
        throw failure.get();
      }
      if (!stopped.getAsBoolean()) {
        unavailable = unavailable.or(() -> events.flatMap(GcEvents::failure));
      }
      return Values.builder()
          .put(ArmFigures.GC_COLLECTIONS, collections)
          .put(ArmFigures.GC_SECONDS, millis / 1e3)
          .put(ArmFigures.GC_COLLECTORS, String.join(", ", counters.names()))
          .put(unavailable.isEmpty() ? pauses.values() : Values.NONE)
          .build();
    }

    private void write() {
      try {
        if (events.isPresent()) {
          for (GcEvents.Pause pause : events.get().take()) {
            pauses.add(pause);
          }
        }
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }

    @Override
    public void close() throws IOException {
      pauses.lines.close();
    }
  }

  /** The pauses, with a line about each, summed up by the phase in which they began. */
  static final class Pauses {

    private static final class Tally {
      private final LatencyTally durations = new LatencyTally();
      private long nanos;
    }

    private final Timeline timeline;
    private final ArmCsv lines;
    private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);

    Pauses(Timeline timeline, ArmCsv lines) {
      this.timeline = timeline;
      this.lines = lines;
      for (Phase phase : Phase.values()) {
        tallies.put(phase, new Tally());
      }
    }

    /** Adds one pause, unless it began before the load did or after its end. */
    void add(GcEvents.Pause pause) throws IOException {
      long startNanos = timeline.ofClock(pause.startNanos());
      if (startNanos < timeline.firstNanos() || startNanos >= timeline.endNanos()) {
        return;
      }
      Phase phase = timeline.phaseOf(startNanos);
      Tally tally = tallies.get(phase);
      tally.durations.record(pause.durationNanos());
      tally.nanos += pause.durationNanos();
      lines.line(
          phase.label(),
          startNanos,
          pause.durationNanos(),
          pause.collector(),
          pause.name(),
          pause.cause());
    }

    /** The pauses of each phase that happened. */
    Values values() {
      Values.Builder values = Values.builder();
      for (Phase phase : Phase.MEASURED) {
        if (timeline.span(phase).isPresent()) {
          Tally tally = tallies.get(phase);
          LatencySummary durations = tally.durations.summary();
          values
              .put(ArmFigures.GC_PAUSES, phase, durations.count())
              .put(ArmFigures.GC_PAUSED, phase, Math.round(tally.nanos / 1e3) / 1e3)
              .put(ArmFigures.GC_LONGEST, phase, durations.maxMillis())
              .put(
                  ArmFigures.GC_P99,
                  phase,
                  Optional.of(durations)
                      .filter(d -> d.count() >= ArmFigures.LEAST_PAUSES_FOR_P99)
                      .map(LatencySummary::p99Millis));
        }
      }
      return values.build();
    }
  }

  /** Why pauses are unknown, if they are; complete after {@link During#values}. */
  public Optional<RunWarning> warning() {
    return unavailable.map(
        reason ->
            new RunWarning(
                "the pauses of the garbage collector are not known: " + reason,
                "the arm's JVM has no flight recorder (module jdk.jfr), or it failed",
                "a JVM with it, such as any OpenJDK that is not cut down, with jvm=PATH"));
  }

  @Override
  public void close() {
    events.ifPresent(GcEvents::close);
  }
}
