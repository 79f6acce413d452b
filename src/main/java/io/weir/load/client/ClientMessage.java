package io.weir.load.client;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.weir.run.Values;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the run and its client say to each other: one JSON line each. */
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
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "ask")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = MeasureFloor.class, name = "floor"),
    @JsonSubTypes.Type(value = WarmUp.class, name = "warm-up"),
    @JsonSubTypes.Type(value = Step.class, name = "step")
  })
  sealed interface Ask {}

  /** Measure for a second what the client needs itself; {@link FloorMeasured} answers. */
  record MeasureFloor(double perSecond) implements Ask {}

  /** Send so many requests at once, the next when one is answered; {@link WarmedUp} answers. */
  record WarmUp(Duration time, int atOnce) implements Ask {}

  /** Send by schedule; first {@link Sent} answers, then {@link Stepped}. */
  record Step(int number, double perSecond, Duration time, long seed) implements Ask {}

  /** The client answers. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = FloorMeasured.class, name = "floor"),
    @JsonSubTypes.Type(value = WarmedUp.class, name = "warmed-up"),
    @JsonSubTypes.Type(value = Sent.class, name = "sent"),
    @JsonSubTypes.Type(value = Stepped.class, name = "stepped")
  })
  sealed interface Answer {}

  /** The floor. */
  record FloorMeasured(Values floor) implements Answer {}

  /**
   * The warm-up.
   *
   * @param failure of the first request that failed
   */
  record WarmedUp(double perSecond, long answered, Optional<String> failure) implements Answer {}

  /** The time of a step is over, and the client waits for the last answers. */
  record Sent() implements Answer {}

  /** A step. */
  record Stepped(Values view) implements Answer {}
}
