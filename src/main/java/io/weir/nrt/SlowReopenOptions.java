package io.weir.nrt;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * When a reopen counts as slow, and how often it is sampled.
 *
 * @param threshold a reopen of this duration or longer is reported: from 1 ms to 1 h
 * @param sampleAfter the age of a reopen at its first stack: from 1 ms to the threshold. A shorter
 *     reopen costs at most one wake-up of the sampler
 * @param sampleEvery time between two stacks: from 1 ms to 1 s. A stack delays the reopen by at
 *     most about 0.1 ms (measured with 40 frames, JDK 25)
 * @param recent number of last slow reopens to keep: from 0 to 1024
 * @param merges names the merges that run now. Called by the sampler twice per slow reopen; must
 *     not wait for the reopen
 */
public record SlowReopenOptions(
    Duration threshold,
    Duration sampleAfter,
    Duration sampleEvery,
    int recent,
    Supplier<List<String>> merges) {

  /** The maximum number of slow reopens to keep. */
  public static final int MAX_RECENT = 1024;

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MAX_THRESHOLD = Duration.ofHours(1);
  private static final Duration MAX_EVERY = Duration.ofSeconds(1);

  /** Refuses values out of range. */
  public SlowReopenOptions {
    Objects.requireNonNull(sampleAfter, "sampleAfter");
    Objects.requireNonNull(sampleEvery, "sampleEvery");
    Objects.requireNonNull(threshold, "threshold");
    Objects.requireNonNull(merges, "merges");
    require("threshold", threshold, MAX_THRESHOLD);
    require("sampleAfter", sampleAfter, threshold);
    require("sampleEvery", sampleEvery, MAX_EVERY);
    if (recent < 0 || recent > MAX_RECENT) {
      throw new IllegalArgumentException(
          "recent must be from 0 to " + MAX_RECENT + " reopens: " + recent);
    }
  }

  /**
   * Threshold 50 ms; first stack after 10 ms, then every 5 ms; the last 16 kept; no merges named.
   */
  public static SlowReopenOptions defaults() {
    return new SlowReopenOptions(
        Duration.ofMillis(50), Duration.ofMillis(10), Duration.ofMillis(5), 16, List::of);
  }

  /** These options, with another threshold, and a first stack no later than that. */
  public SlowReopenOptions withThreshold(Duration threshold) {
    Objects.requireNonNull(threshold, "threshold");
    Duration after = sampleAfter.compareTo(threshold) > 0 ? threshold : sampleAfter;
    return new SlowReopenOptions(threshold, after, sampleEvery, recent, merges);
  }

  /** These options, with other sampling times. */
  public SlowReopenOptions withSampling(Duration sampleAfter, Duration sampleEvery) {
    return new SlowReopenOptions(threshold, sampleAfter, sampleEvery, recent, merges);
  }

  /** These options, with another number of slow reopens to keep. */
  public SlowReopenOptions withRecent(int newRecent) {
    return new SlowReopenOptions(threshold, sampleAfter, sampleEvery, newRecent, merges);
  }

  /** These options, with merges named by {@code newMerges}. */
  public SlowReopenOptions withMerges(Supplier<List<String>> merges) {
    return new SlowReopenOptions(threshold, sampleAfter, sampleEvery, recent, merges);
  }

  private static void require(String name, Duration value, Duration most) {
    if (value.compareTo(LEAST) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d ms: %s ms"
              .formatted(name, LEAST.toMillis(), most.toMillis(), value.toNanos() / 1e6));
    }
  }
}
