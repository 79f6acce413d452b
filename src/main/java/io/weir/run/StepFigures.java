package io.weir.run;

import static io.weir.figure.Figure.Kind.FACT;
import static io.weir.figure.Figure.Kind.SUMMARY;

import io.weir.figure.Figure;
import io.weir.figure.Unit;

/**
 * The figures of a search for saturation: of each of its steps, and of the arm that took them.
 * Shares are those of the time in which the client sent.
 */
public final class StepFigures {

  static final FigureSet ALL = new FigureSet();

  public static final Figure<Long> NUMBER =
      ALL.whole("number", Unit.NONE, "of the step in its arm and round, from 1");

  public static final Figure<Double> LOAD =
      ALL.level("load", Unit.PER_SECOND, "requests that were sent, on average");

  public static final Figure<StepOutcome> OUTCOME =
      ALL.add("outcome", StepOutcome.class, Unit.NONE, FACT, "what became of the step");

  public static final Figure<Resource> FULL =
      ALL.add("full", Resource.class, Unit.NONE, FACT, "what was full while it was sent");

  public static final Figure<Long> START =
      ALL.whole(
          "startNanos",
          Unit.NANOS,
          "when the step began, on the server's clock, or on the run's where the "
              + "server is not ours");

  public static final Figure<Long> END =
      ALL.whole("endNanos", Unit.NANOS, "when the step ended, on the same clock");

  public static final Figure<Double> SECONDS =
      ALL.seconds("client.seconds", "how long the client sent");

  public static final Figure<Long> DUE =
      ALL.count("client.due", "requests that were due until then; all were sent");

  public static final Figure<Long> ANSWERED =
      ALL.count("client.answered", "requests that were answered with success");

  public static final Figure<Long> FAILED =
      ALL.count("client.failed", "requests that were refused or broken off");

  public static final Figure<Long> UNANSWERED =
      ALL.count(
          "client.unanswered",
          "requests without an answer when the client gave up; their wait until then " + "counts");

  public static final Figure<Long> SET_ASIDE =
      ALL.count(
          "client.setAside",
          "requests whose time was mostly a stall of the client; they are in no "
              + "figure of the server");

  public static final Figure<Long> SECOND_HALF_DUE =
      ALL.count("client.secondHalfDue", "requests that were due in the second half");

  public static final Figure<Long> SECOND_HALF_ANSWERED =
      ALL.count("client.secondHalfAnswered", "requests that were answered in the second half");

  public static final Figure<LatencySummary> LATENCY =
      latency(
          "client.latency",
          "response times from the intended start, of requests answered and " + "unanswered");

  public static final Figure<LatencySummary> SENT_LATE =
      latency("client.sentLate", "how long after its due time the client sent each request");

  public static final Figure<Long> STALLS =
      ALL.count("client.stalls", "how often the client stood still for more than 5 ms");

  public static final Figure<Double> LONGEST_STALL =
      ALL.level(
          "client.longestStallMillis", Unit.MILLIS, "the longest time that the client stood still");

  public static final Figure<Long> MOST_IN_FLIGHT =
      ALL.whole(
          "client.mostInFlight",
          Unit.COUNT,
          "requests that waited for an answer at the same time, at most");

  public static final Figure<Long> CLIENT_CPU =
      ALL.add(
          "client.cpuNanos",
          Long.class,
          Unit.NANOS,
          Figure.Kind.TOTAL,
          "processor time of the client while it sent");

  public static final Figure<Long> CLIENT_PROCESSORS =
      ALL.whole("client.processors", Unit.COUNT, "processors that the client may use");

  public static final Figure<String> FIRST_FAILURE =
      ALL.words("client.failure", "the first failure of a request");

  public static final Figure<Boolean> INTERRUPTED =
      ALL.flag("client.interrupted", "whether the step was ended early");

  public static final Figure<Double> MACHINE =
      percent(
          "use.machinePercent",
          "processors of the machine that did anything; absent where the service does "
              + "not run here");

  public static final Figure<Double> SERVER =
      percent("use.serverPercent", "processors that ran the server");

  public static final Figure<Double> CLIENT =
      percent("use.clientPercent", "processors that ran the client");

  public static final Figure<Double> COLLECTOR =
      percent("use.collectorPercent", "processors that ran the server's collector");

  public static final Figure<Double> PAUSED =
      percent("use.pausedPercent", "the time in which the collector stopped the server");

  public static final Figure<Double> DISK =
      percent(
          "use.diskPercent",
          "the time in which some task waited for a disk; absent where the kernel "
              + "does not report it");

  public static final Figure<Double> MERGING =
      percent(
          "use.mergingPercent",
          "the time in which a forced merge ran; absent without forced merges");

  public static final Figure<Double> THREADS =
      percent(
          "use.threadsPercent",
          "threads of the server that were busy; absent when their number has no " + "limit");

  public static final Figure<Double> READ =
      ALL.level(
          "use.readBytesPerSecond", Unit.BYTES_PER_SECOND, "what the server read from storage");

  public static final Figure<LatencySummary> FLOOR =
      latency("floor", "what the client needs for a request that nothing answers but itself");

  public static final Figure<Double> WARM_UP =
      ALL.level(
          "warmUpPerSecond",
          Unit.PER_SECOND,
          "requests that were answered in the warm-up, four at a time");

  public static final Figure<Double> KEPT =
      ALL.level(
          "saturation.kept",
          Unit.PER_SECOND,
          "the most requests a second that the server bore; absent when it bore none "
              + "that were tried");

  public static final Figure<Double> NOT_KEPT =
      ALL.level(
          "saturation.failed",
          Unit.PER_SECOND,
          "the least requests a second that it did not bear; absent when it bore all, "
              + "or the client was full before");

  private StepFigures() {}

  /** How many requests were answered each second of the second half of a step. */
  public static double answeredPerSecond(Values step) {
    double seconds = step.require(SECONDS);
    return seconds <= 0 ? 0 : step.require(SECOND_HALF_ANSWERED) / (seconds / 2);
  }

  private static Figure<LatencySummary> latency(String id, String text) {
    return ALL.add(id, LatencySummary.class, Unit.MILLIS, SUMMARY, text);
  }

  private static Figure<Double> percent(String id, String text) {
    return ALL.level(id, Unit.PERCENT, text);
  }
}
