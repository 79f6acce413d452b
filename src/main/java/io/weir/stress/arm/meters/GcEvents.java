package io.weir.stress.arm.meters;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * The pauses of this JVM's garbage collector, from the JVM's flight recorder: {@code
 * jdk.GCPhasePause}, which HotSpot sends for each stop of all threads, whatever the collector, and
 * never for what a collector does beside running threads. Its collection ({@code
 * jdk.GarbageCollection}) names collector and cause when it ends.
 *
 * <p>The recorder has a clock of its own, so marks of the arm's clock are put among its events, and
 * each moment is read by the mark nearest to it.
 *
 * <p><b>Threads:</b> any; the recorder's own delivers. <b>Ownership:</b> the recorder keeps a file
 * in the given directory, which the caller deletes. If another recording runs, the file is where
 * that one put it. <b>Failure:</b> a JVM without a flight recorder fails the constructor, with a
 * {@link LinkageError} if it has not even the classes; one whose recorder ends early tells by
 * {@link #failure}.
 */
final class GcEvents implements AutoCloseable {

  /**
   * One pause, in which the collector stopped all threads.
   *
   * @param startNanos on the arm's clock
   * @param durationNanos how long it lasted
   * @param collector its name in the JVM; empty when the collection had not ended yet
   * @param name of the pause, as the JVM calls it
   * @param cause of the collection; empty likewise
   */
  record Pause(
      long startNanos,
      long durationNanos,
      Optional<String> collector,
      String name,
      Optional<String> cause) {}

  private static final String PAUSE = "jdk.GCPhasePause";
  private static final String COLLECTION = "jdk.GarbageCollection";
  private static final String MARK = "io.weir.ClockMark";
  private static final String DIAGNOSTIC_COMMANDS = "com.sun.management:type=DiagnosticCommand";

  /** A mark that took longer says less well when it was; another is tried. */
  private static final long MARK_NANOS = 100_000;

  private static final int MARK_ATTEMPTS = 5;

  /** What the arm's clock said. */
  @Name(MARK)
  @Label("Clock mark")
  @StackTrace(false)
  private static final class ClockMark extends Event {
    @Label("Clock nanos")
    private long clockNanos;
  }

  /** A pause of a collection that may not have ended, at a moment of the recorder's. */
  private record RecordedPause(long epochNanos, long durationNanos, String name) {}

  private final NanoClock clock;
  private final RecordingStream stream;
  // Guarded by this:
  private final NavigableMap<Long, Long> clockAhead = new TreeMap<>(); // by the recorder's time
  private final Map<Long, List<RecordedPause>> unended = new HashMap<>(); // by collection
  private final List<Pause> ended = new ArrayList<>();
  private boolean closing;
  private Optional<String> failure = Optional.empty();

  /**
   * Begins to listen.
   *
   * @param repository where the recorder may keep its file; made if it is not there
   */
  GcEvents(NanoClock clock, Path repository) throws IOException, JMException {
    this.clock = clock;
    keepFilesIn(repository);
    this.stream = new RecordingStream();
    stream.enable(PAUSE).withoutThreshold().withoutStackTrace();
    stream.enable(COLLECTION).withoutThreshold().withoutStackTrace();
    stream.enable(ClockMark.class).withoutThreshold().withoutStackTrace();
    stream.onEvent(PAUSE, this::paused);
    stream.onEvent(COLLECTION, this::collected);
    stream.onEvent(MARK, this::marked);
    stream.onError(this::failed);
    stream.onClose(this::closed);
    stream.startAsync();
    mark();
  }

  /** Has the two clocks compared; to be called about once a second. */
  void mark() {
    for (int attempt = 1; ; attempt++) {
      ClockMark mark = new ClockMark();
      long beganNanos = clock.nanoTime();
      mark.begin();
      mark.clockNanos = clock.nanoTime();
      mark.end();
      if (clock.nanoTime() - beganNanos <= MARK_NANOS || attempt == MARK_ATTEMPTS) {
        mark.commit();
        return;
      }
    }
  }

  /** Pauses of the collections that have ended since the last call; some seconds late. */
  synchronized List<Pause> take() {
    List<Pause> taken = new ArrayList<>(ended);
    ended.clear();
    return taken;
  }

  /** Why events are missing, if any are. */
  synchronized Optional<String> failure() {
    return failure;
  }

  /** Waits until every recorded event has been delivered. */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
    }
    try {
      mark();
      stream.stop();
    } catch (IllegalStateException e) {
      // The JVM shuts down and has stopped it already.
    }
    stream.close();
    synchronized (this) {
      unended
          .values()
          .forEach(
              pauses -> pauses.forEach(pause -> end(pause, Optional.empty(), Optional.empty())));
      unended.clear();
    }
  }

  /** Beside a crash as well: the recorder leaves a file then. */
  private static void keepFilesIn(Path repository) throws IOException, JMException {
    if (FlightRecorder.isInitialized()
        && !FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
      return;
    }
    Files.createDirectories(repository);
    String path = '"' + repository.toString() + '"';
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName(DIAGNOSTIC_COMMANDS),
            "jfrConfigure",
            new Object[] {new String[] {"repositorypath=" + path, "dumppath=" + path}},
            new String[] {String[].class.getName()});
  }

  private synchronized void paused(RecordedEvent pause) {
    unended
        .computeIfAbsent(pause.getLong("gcId"), unused -> new ArrayList<>())
        .add(
            new RecordedPause(
                nanos(pause.getStartTime()),
                pause.getDuration().toNanos(),
                pause.getString("name")));
  }

  private synchronized void collected(RecordedEvent collection) {
    Optional<String> collector = Optional.ofNullable(collection.getString("name"));
    Optional<String> cause = Optional.ofNullable(collection.getString("cause"));
    Optional.ofNullable(unended.remove(collection.getLong("gcId")))
        .ifPresent(pauses -> pauses.forEach(pause -> end(pause, collector, cause)));
  }

  private synchronized void marked(RecordedEvent mark) {
    long epochNanos = nanos(mark.getStartTime());
    clockAhead.put(epochNanos, mark.getLong("clockNanos") - epochNanos);
  }

  private synchronized void failed(Throwable cause) {
    failure = Optional.of(cause.toString());
  }

  private synchronized void closed() {
    if (!closing) {
      failure = Optional.of("something else ended the recording");
    }
  }

  /** A pause before the first mark came before the load, so it is dropped. */
  private void end(RecordedPause pause, Optional<String> collector, Optional<String> cause) {
    Stream.of(
            clockAhead.floorEntry(pause.epochNanos()), clockAhead.ceilingEntry(pause.epochNanos()))
        .filter(Objects::nonNull)
        .min(Comparator.comparingLong(mark -> Math.abs(pause.epochNanos() - mark.getKey())))
        .ifPresent(
            mark ->
                ended.add(
                    new Pause(
                        pause.epochNanos() + mark.getValue(),
                        pause.durationNanos(),
                        collector,
                        pause.name(),
                        cause)));
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
  }
}
