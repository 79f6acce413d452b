package io.weir.stress.arm.meters;

import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.logs.GcPause;
import io.weir.stress.arm.logs.GcPauseLog;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.RunWarning;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Garbage collections of the arm's JVM: how many, and how long everybody stood still for them.
 *
 * <p>It begins before the load, because the JVM's flight recorder takes some tenths of a second to
 * start. <b>Threads:</b> one at a time. <b>Failure:</b> a JVM that does not tell its pauses has
 * none in the result, and a warning.
 */
public final class GcMeter implements Closeable {

  private final GcCounters counters = new GcCounters();
  private final GcEvents events; // null where the JVM has none
  private final String missing;
  private GcPauseLog log;
  private long countBefore;
  private long millisBefore;
  private IOException failure;
  private boolean interrupted;

  /**
   * Begins to listen.
   *
   * @param repository where the JVM may keep files until somebody deletes them
   */
  public GcMeter(NanoClock clock, Path repository) {
    GcEvents started = null;
    String why = null;
    try {
      started = new GcEvents(clock, repository);
    } catch (LinkageError | Exception e) {
      why = e.toString();
    }
    this.events = started;
    this.missing = why;
  }

  /** The load begins; lines about pauses go to {@code out}, which this closes. */
  public void begin(Timeline timeline, ArmRun.Setup setup, Writer out) throws IOException {
    log = new GcPauseLog(timeline, setup.name(), setup.round(), out);
    countBefore = counters.count();
    millisBefore = counters.millis();
  }

  /** Writes what has been told; to be called about once a second. */
  public void look() {
    if (events != null && failure == null) {
      events.mark();
      write();
    }
  }

  /**
   * The load has ended; waits for what is still to be told.
   *
   * @param stopped whether the user wanted no more: the JVM may then have ended its recorder before
   */
  public GcResult end(boolean stopped) throws IOException {
    long collections = counters.count() - countBefore;
    long millis = counters.millis() - millisBefore;
    interrupted = stopped;
    if (events != null) {
      events.close();
      write();
    }
    if (failure != null) {
      throw failure;
    }
    return new GcResult(
        collections, millis / 1e3, counters.names(), why() == null ? log.pauses() : null);
  }

  /** When pauses are not known; to be asked at the end. */
  public Optional<RunWarning> warning() {
    return Optional.ofNullable(why())
        .map(
            reason ->
                new RunWarning(
                    "the pauses of the garbage collector are not known: " + reason,
                    "the arm's JVM has no flight recorder (module jdk.jfr), or it failed",
                    "a JVM with it, such as any OpenJDK that is not cut down, with jvm=PATH"));
  }

  /** Why pauses are not known; null if they are. */
  private String why() {
    return events == null ? missing : interrupted ? null : events.failure();
  }

  private void write() {
    try {
      for (GcPause pause : events.take()) {
        log.add(pause);
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public void close() throws IOException {
    if (events != null) {
      events.close();
    }
    if (log != null) {
      log.close();
    }
  }
}
