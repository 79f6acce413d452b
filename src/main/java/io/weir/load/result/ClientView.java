package io.weir.load.result;

import java.time.Duration;
import java.util.Optional;

/**
 * What the client saw of one step.
 *
 * @param seconds how long it sent
 * @param due requests that the schedule had until then; all were sent
 * @param answered requests that were answered with success
 * @param failed requests that were refused or broken off
 * @param unanswered requests without an answer when the client gave up; their wait until then is in
 *     {@code latency}, so the true figures are higher
 * @param setAside requests whose time was mostly a stall of the client; they are in no figure of
 *     the server
 * @param secondHalfDue requests that were due in the second half
 * @param secondHalfAnswered requests that were answered in the second half, whenever they were due
 * @param latency from the intended start, of requests that were answered and of those unanswered
 * @param sentLate how long after its due time the client sent each request
 * @param stalls how often the client's own threads stood still for more than 5 ms
 * @param longestStallMillis the longest of them
 * @param mostInFlight requests that waited for an answer at the same time
 * @param cpuNanos processor time of the client while it sent
 * @param processors how many the client may use
 * @param failure the first one, in words
 * @param interrupted whether the step was ended early
 */
public record ClientView(
    double seconds,
    long due,
    long answered,
    long failed,
    long unanswered,
    long setAside,
    long secondHalfDue,
    long secondHalfAnswered,
    Latency latency,
    Latency sentLate,
    long stalls,
    double longestStallMillis,
    long mostInFlight,
    long cpuNanos,
    int processors,
    Optional<String> failure,
    boolean interrupted) {

  /** How long the client waits for answers after it has sent the last request of a step. */
  public static final Duration DRAIN = Duration.ofSeconds(30);

  /** How many requests were answered each second of the second half. */
  public double answeredPerSecond() {
    return seconds <= 0 ? 0 : secondHalfAnswered / (seconds / 2);
  }
}
