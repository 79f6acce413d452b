package io.weir.load.client;

import io.weir.run.Values;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the run and its client say to each other. */
public interface ClientMessage {

  /**
   * What a client is started with.
   *
   * @param addresses of the queries
   * @param requests the file for each request, compressed CSV
   * @param histograms the file for a histogram of each step
   */
  record Task(String arm, int round, List<URI> addresses, Path requests, Path histograms) {}

  /** The run asks. */
  sealed interface Ask {}

  /** Measure for a second what the client needs itself; {@link FloorMeasured} answers. */
  record MeasureFloor(double perSecond) implements Ask {}

  /** Send so many requests at once, the next when one is answered; {@link WarmedUp} answers. */
  record WarmUp(Duration time, int atOnce) implements Ask {}

  /** Send by schedule; first {@link Sent} answers, then {@link Stepped}. */
  record Step(int number, double perSecond, Duration time, long seed) implements Ask {}

  /** The floor. */
  record FloorMeasured(Values floor) {}

  /**
   * The warm-up.
   *
   * @param failure of the first request that failed
   */
  record WarmedUp(double perSecond, long answered, Optional<String> failure) {}

  /** The time of a step is over, and the client waits for the last answers. */
  record Sent() {}

  /** A step. */
  record Stepped(Values view) {}

  /** The end of its input has ended the client, and its files are whole: its answer. */
  record Ended() {}
}
