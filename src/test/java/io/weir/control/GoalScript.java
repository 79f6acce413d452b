package io.weir.control;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Plays a script of ticks on a {@link GoalPolicy}, and writes down each change of the rate and each
 * new reason to leave it.
 *
 * <pre>
 * target p99 50                 the limit in ms; first
 * floor 1 | start 10            MB/s; before the first tick
 * ceiling 100 | keep-up 5       MB/s; from the next tick on
 * paused 10                     seconds in which nothing is decided
 * [N x] LATENCIES used MB/s [delayed] [forced] [running MS] [former LATENCIES] [stood-still]
 * </pre>
 *
 * A tick is 250 ms. Its latencies are in milliseconds, with commas between them; {@code -} stands
 * for none. Former ones began before the last cut took effect.
 */
final class GoalScript {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private final StringBuilder log = new StringBuilder();
  private GoalOptions options = GoalOptions.DEFAULT;
  private LatencyTarget target;
  private GoalPolicy policy; // null before the first tick
  private long ceilingBytes = 16L << 30;
  private long keepUpBytes;
  private long nowNanos;
  private long rateBytes;
  private GoalReason lastReason;

  static String play(List<String> lines) {
    GoalScript script = new GoalScript();
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        script.read(Arrays.asList(line.trim().split("\\s+")));
      }
    }
    return script.log.toString();
  }

  private void read(List<String> words) {
    switch (words.get(0)) {
      case "target" ->
          target =
              new LatencyTarget(
                  "reopen",
                  new Percentile(Double.parseDouble(words.get(1).substring(1))),
                  Duration.ofMillis(Long.parseLong(words.get(2))));
      case "floor" -> options = options.withFloor(megabytes(words.get(1)));
      case "start" -> options = options.withStart(megabytes(words.get(1)));
      case "ceiling" -> ceilingBytes = megabytes(words.get(1));
      case "keep-up" -> keepUpBytes = megabytes(words.get(1));
      case "paused" -> {
        nowNanos += Long.parseLong(words.get(1)) * NANOS_PER_SECOND;
        policy.notSeen(nowNanos);
      }
      default -> ticks(words);
    }
  }

  private void ticks(List<String> words) {
    boolean repeated = words.get(1).equals("x");
    int times = repeated ? Integer.parseInt(words.get(0)) : 1;
    for (int i = 0; i < times; i++) {
      tick(repeated ? words.subList(2, words.size()) : words);
    }
  }

  private void tick(List<String> words) {
    if (policy == null) {
      policy = new GoalPolicy(options, 0);
      policy.add(target);
      rateBytes = options.startBytesPerSecond();
    }
    nowNanos += LatencyGoal.TICK_NANOS;
    int former = words.indexOf("former");
    String formerMillis = former < 0 ? "-" : words.get(former + 1);
    int running = words.indexOf("running");
    long runningNanos = running < 0 ? 0 : Long.parseLong(words.get(running + 1)) * NANOS_PER_MILLI;
    int used = words.indexOf("used");
    GoalDecision decision =
        policy.decide(
            new Sight(
                nowNanos,
                List.of(
                    Samples.of(
                        target.limit().toNanos(),
                        runningNanos,
                        nanos(words.get(0)),
                        nanos(formerMillis))),
                // "all" of the rate, as merges that wait for the budget use
                words.get(used + 1).equals("all") ? rateBytes : megabytes(words.get(used + 1)),
                words.contains("delayed"),
                words.contains("forced"),
                keepUpBytes,
                ceilingBytes,
                words.contains("stood-still")));
    if (decision.isChange() || decision.reason() != lastReason) {
      log.append(String.format(Locale.ROOT, "%7.2f s  %s%n", nowNanos / 1e9, decision.describe()));
    }
    lastReason = decision.reason();
    rateBytes = decision.afterBytesPerSecond();
  }

  private static long[] nanos(String millis) {
    return millis.equals("-")
        ? new long[0]
        : Arrays.stream(millis.split(","))
            .mapToLong(one -> Long.parseLong(one) * NANOS_PER_MILLI)
            .toArray();
  }

  private static long megabytes(String number) {
    return Math.round(Double.parseDouble(number) * BYTES_PER_MEGABYTE);
  }
}
