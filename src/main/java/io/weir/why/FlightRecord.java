package io.weir.why;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the events of a flight recording say: stops of all threads, handshakes with all of them,
 * pauses of collections, slow operations on files. Of an operation it takes the kind of work, and
 * neither its path nor its thread.
 *
 * <p>{@code jdk.SafepointLatency} of JDK 25 is not among them. It is of the recorder's sampler,
 * which picks threads while they run, and so misses those in page faults: beside handshakes of up
 * to 193 ms its longest of 291 was 12.5 ms. {@link LateLooks} sees them.
 *
 * <p><b>Units:</b> milliseconds. <b>Threads:</b> one.
 */
final class FlightRecord {

  /** Operations on files that take less are no events. */
  private static final Duration SLOW = Duration.ofMillis(20);

  /** What this look itself asks the JVM to do. */
  private static final Set<String> OF_THE_LOOK =
      Set.of("PrintThreads", "PrintMetadata", "PrintJNI", "FindDeadlocks");

  private static final String HANDSHAKE = "HandshakeAllThreads";
  private static final String SAFEPOINT = "jdk.SafepointBegin";
  private static final String SAFEPOINT_END = "jdk.SafepointEnd";
  private static final String OPERATION = "jdk.ExecuteVMOperation";
  private static final String COLLECTION = "jdk.GarbageCollection";
  private static final double MILLIS = 1e6;

  /** An operation on a file that is an event. */
  enum FileOperation {
    READ("jdk.FileRead"),
    WRITE("jdk.FileWrite"),
    SYNC("jdk.FileForce");

    private final String event;

    FileOperation(String event) {
      this.event = event;
    }
  }

  /** Durations of one kind. */
  private static final class Times {
    private int count;
    private double sum;
    private double longest;

    private void add(double millis) {
      add(millis, millis);
    }

    private void add(double millis, double part) {
      count++;
      sum += millis;
      longest = Math.max(longest, part);
    }

    private void put(Map<Fact, Double> facts, Fact most, Fact share, double observedMillis) {
      facts.put(most, longest);
      facts.put(share, 100 * sum / observedMillis);
    }
  }

  private final Map<Long, RecordedEvent> begins = new HashMap<>(); // by the numbers of safepoints
  private final Map<Long, Instant> ends = new HashMap<>();
  private final Set<Long> ofTheLook = new HashSet<>();
  private final Times handshakes = new Times();
  private final Times pauses = new Times();
  private final Map<FileOperation, Map<Activity, Times>> slow = new LinkedHashMap<>();

  private FlightRecord() {}

  /** Which events it reads, as {@code JFR.start} takes them. */
  static List<String> settings() {
    List<String> settings = new ArrayList<>();
    Stream.of(SAFEPOINT, SAFEPOINT_END, OPERATION, COLLECTION)
        .forEach(event -> enable(settings, event, Duration.ZERO, false));
    Stream.of(FileOperation.values())
        .forEach(operation -> enable(settings, operation.event, SLOW, true));
    return settings;
  }

  private static void enable(
      List<String> settings, String event, Duration threshold, boolean stack) {
    settings.add("+%s#enabled=true".formatted(event));
    settings.add("+%s#threshold=%dms".formatted(event, threshold.toMillis()));
    settings.add("+%s#stackTrace=%s".formatted(event, stack));
  }

  /**
   * The facts of a file.
   *
   * @param from events that began before it are not counted: the recorder's own start is among them
   * @throws IOException if the file is damaged
   */
  static Map<Fact, Double> facts(Path file, Instant from, Instant until) throws IOException {
    FlightRecord record = new FlightRecord();
    Instant first = until;
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        Instant start = event.getStartTime();
        if (!start.isBefore(from) && start.isBefore(until)) {
          record.add(event);
          first = start.isBefore(first) ? start : first;
        }
      }
    } catch (RuntimeException e) { // it is the file of another user
      throw new IOException("the record is damaged", e);
    }
    return record.facts(Math.max(1, millis(Duration.between(first, until))));
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case SAFEPOINT -> begins.put(event.getLong("safepointId"), event);
      case SAFEPOINT_END -> ends.put(event.getLong("safepointId"), event.getEndTime());
      case OPERATION -> {
        String operation = event.getString("operation");
        if (OF_THE_LOOK.contains(operation)) {
          ofTheLook.add(event.getLong("safepointId"));
        } else if (HANDSHAKE.equals(operation)) {
          handshakes.add(millis(event.getDuration()));
        }
      }
      case COLLECTION ->
          pauses.add(
              millis(event.getDuration("sumOfPauses")), millis(event.getDuration("longestPause")));
      default ->
          Stream.of(FileOperation.values())
              .filter(operation -> operation.event.equals(event.getEventType().getName()))
              .forEach(
                  operation ->
                      slow.computeIfAbsent(operation, added -> new LinkedHashMap<>())
                          .computeIfAbsent(
                              Activity.of(frames(event.getStackTrace())), added -> new Times())
                          .add(millis(event.getDuration())));
    }
  }

  private static List<StackTraceElement> frames(RecordedStackTrace stack) {
    return stack == null
        ? List.of()
        : stack.getFrames().stream()
            .map(
                frame ->
                    new StackTraceElement(
                        frame.getMethod().getType().getName(),
                        frame.getMethod().getName(),
                        null,
                        -1))
            .toList();
  }

  private Map<Fact, Double> facts(double observedMillis) {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    Times stops = new Times();
    Times waits = new Times();
    begins.forEach(
        (id, begin) -> {
          waits.add(millis(begin.getDuration()));
          if (ends.containsKey(id) && !ofTheLook.contains(id)) {
            stops.add(millis(Duration.between(begin.getStartTime(), ends.get(id))));
          }
        });
    facts.put(Fact.SAFEPOINT_WAIT, waits.longest);
    stops.put(facts, Fact.SAFEPOINT_LONGEST, Fact.SAFEPOINT_SHARE, observedMillis);
    handshakes.put(facts, Fact.HANDSHAKE_LONGEST, Fact.HANDSHAKE_SHARE, observedMillis);
    pauses.put(facts, Fact.PAUSE_LONGEST, Fact.PAUSE_SHARE, observedMillis);
    facts.put(
        Fact.FILES_SLOW,
        (double)
            slow.values().stream()
                .flatMap(times -> times.values().stream())
                .mapToInt(times -> times.count)
                .sum());
    slow.forEach(
        (operation, ofWork) ->
            ofWork.forEach(
                (work, times) -> {
                  facts.put(Fact.slow(operation, work), (double) times.count);
                  facts.put(Fact.longest(operation, work), times.longest);
                }));
    return facts;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / MILLIS;
  }
}
