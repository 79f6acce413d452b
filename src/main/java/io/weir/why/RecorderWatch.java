package io.weir.why;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the flight recorder of a JVM says of the time in which it was looked at, if it is asked to.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> what it does not say is a sentence of {@link #unseen}.
 */
final class RecorderWatch {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final String UNRECORDED =
      "Lengths of handshakes, safepoints and collections, and slow reads and writes of files: ";

  private final Optional<Duration> look;
  private final NanoClock clock;
  private final List<String> unseen = new ArrayList<>();
  private final List<String> cost = new ArrayList<>();
  private Optional<FlightRecording> recording = Optional.empty();

  /**
   * Makes one.
   *
   * @param look how long it is to record; empty if it is not
   */
  RecorderWatch(Optional<Duration> look, NanoClock clock) {
    this.look = look;
    this.clock = clock;
    if (look.isEmpty()) {
      unseen.add(UNRECORDED + "add --record, which leaves three threads in the JVM.");
    }
  }

  /** Whether it is to record. */
  boolean isAsked() {
    return look.isPresent();
  }

  /** Starts, if it is to record. */
  void start(AttachedJvm jvm) {
    if (look.isEmpty()) {
      return;
    }
    long before = clock.nanoTime();
    try {
      recording = Optional.of(FlightRecording.start(jvm, look.get()));
      cost.add(
          "the flight recorder of the JVM began in %.0f ms"
              .formatted((clock.nanoTime() - before) / NANOS_PER_MILLI));
    } catch (IOException e) {
      unseen.add(UNRECORDED + "no flight recording began: " + e.getMessage() + ".");
    }
  }

  /**
   * Ends it, and says what was recorded; nothing if it did not start.
   *
   * @param isAlive whether the process is
   */
  Map<Fact, Double> end(boolean isAlive) {
    if (recording.isEmpty()) {
      return Map.of();
    }
    FlightRecording running = recording.get();
    Map<Fact, Double> facts = Map.of();
    try {
      facts = running.stop();
    } catch (IOException e) {
      unseen.add(
          UNRECORDED
              + (isAlive
                  ? "the flight recording gave nothing: " + e.getMessage() + "."
                  : "the process had ended."));
    }
    unseen.add("Page faults of mapped files: they are no events of the flight recorder.");
    cost.add(
        "its file had %.1f MB, and %s; a JVM that had never recorded keeps three threads and a"
                .formatted(
                    running.bytes() / BYTES_PER_MEGABYTE,
                    running.isDeleted() ? "is deleted" : "is still in its /tmp/weir-why-*")
            + " directory of the recorder until it ends");
    return facts;
  }

  List<String> unseen() {
    return unseen;
  }

  List<String> cost() {
    return cost;
  }
}
