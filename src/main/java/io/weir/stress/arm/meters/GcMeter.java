package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.logs.GcPause;
import io.weir.stress.arm.logs.GcPauseLog;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Garbage collections of the arm's JVM: how many, and how long they paused all threads.
 *
 * <p>It starts before the load, because the JVM's flight recorder takes some tenths of a second to
 * start. <b>Threads:</b> one at a time. <b>Failure:</b> where the JVM does not report its pauses,
 * the result has none, and there is a warning.
 */
public final class GcMeter implements Closeable {

  private final GcCounters counters = new GcCounters();
  private Optional<GcEvents> events = Optional.empty();
  private Optional<String> unavailable = Optional.empty(); // why there are no events
  private Optional<IOException> failure = Optional.empty();

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

  /** The load begins; pauses go to {@code log}. */
  public During begin(GcPauseLog log) {
    return new During(log, counters.count(), counters.millis());
  }

  /** The collections while the load runs. */
  public final class During {

    private final GcPauseLog log;
    private final long countBefore;
    private final long millisBefore;

    private During(GcPauseLog log, long countBefore, long millisBefore) {
      this.log = log;
      this.countBefore = countBefore;
      this.millisBefore = millisBefore;
    }

    /** Writes the pauses that are known by now; to be called about once a second. */
    public void look() {
      if (failure.isEmpty()) {
        events.ifPresent(GcEvents::mark);
        write();
      }
    }

    /**
     * The load has ended; waits for the last pauses.
     *
     * @param stopped whether the user ended the arm: the JVM may then have stopped its recorder
     */
    public Values end(boolean stopped) throws IOException {
      long collections = counters.count() - countBefore;
      long millis = counters.millis() - millisBefore;
      events.ifPresent(GcEvents::close);
      write();
      if (failure.isPresent()) {
        throw failure.get();
      }
      if (!stopped) {
        unavailable = unavailable.or(() -> events.flatMap(GcEvents::failure));
      }
      return Values.builder()
          .put(ArmFigures.GC_COLLECTIONS, collections)
          .put(ArmFigures.GC_SECONDS, millis / 1e3)
          .put(ArmFigures.GC_COLLECTORS, String.join(", ", counters.names()))
          .put(unavailable.isEmpty() ? log.values() : Values.NONE)
          .build();
    }

    private void write() {
      try {
        if (events.isPresent()) {
          for (GcPause pause : events.get().take()) {
            log.add(pause);
          }
        }
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }
  }

  /** Why pauses are unknown, if they are; complete after {@link During#end}. */
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
