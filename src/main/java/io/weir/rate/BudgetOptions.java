package io.weir.rate;

import java.time.Duration;
import java.util.Objects;

/**
 * The initial settings of a {@link ByteBudget}.
 *
 * @param name for messages and metrics; it need not be unique
 * @param rate the initial rate
 * @param burst how much unused rate is kept for later, as a time: from 1 ms to 1 s. In bytes it is
 *     at least 4096 and at most 1 GiB
 * @param weight the share among the competing children of one parent, relative to the others: from
 *     1 to 1000. Threads that acquire from the parent directly count together as one child of
 *     weight 1. The weight of the root has no meaning
 * @param counting which bytes of merges count; a budget whose parent counts reads counts them too
 */
public record BudgetOptions(String name, Rate rate, Duration burst, int weight, Counting counting) {

  /** Which bytes of merges a budget counts. */
  public enum Counting {
    /** What they write. */
    WRITES,
    /** Also what they read from storage, as the limit of a cloud volume does. */
    READS_AND_WRITES;

    /** {@link #READS_AND_WRITES} if {@code countsReads}, otherwise {@link #WRITES}. */
    public static Counting ofReads(boolean countsReads) {
      return countsReads ? READS_AND_WRITES : WRITES;
    }
  }

  /** The default burst: what the rate gives in 50 ms. */
  public static final Duration DEFAULT_BURST = Duration.ofMillis(50);

  /** The largest weight. */
  public static final int MAX_WEIGHT = 1000;

  private static final Duration MIN_BURST = Duration.ofMillis(1);
  private static final Duration MAX_BURST = Duration.ofSeconds(1);

  /** Refuses a burst or a weight out of range. */
  public BudgetOptions {
    Objects.requireNonNull(burst, "burst");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(rate, "rate");
    Objects.requireNonNull(counting, "counting");
    if (burst.compareTo(MIN_BURST) < 0 || burst.compareTo(MAX_BURST) > 0) {
      throw new IllegalArgumentException(
          "burst must be from "
              + MIN_BURST.toMillis()
              + " to "
              + MAX_BURST.toMillis()
              + " ms: "
              + burst);
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "weight must be from 1 to " + MAX_WEIGHT + " shares: " + weight);
    }
  }

  /** Unlimited, with the default burst and weight 1. */
  public static BudgetOptions named(String name) {
    return new BudgetOptions(name, Rate.UNLIMITED, DEFAULT_BURST, 1, Counting.WRITES);
  }

  /** With the default name, "merges", burst and weight. */
  public static BudgetOptions of(Rate rate) {
    return named("merges").withRate(rate);
  }

  /** These, with another rate. */
  public BudgetOptions withRate(Rate rate) {
    return new BudgetOptions(name, rate, burst, weight, counting);
  }

  /** These, with another burst. */
  public BudgetOptions withBurst(Duration burst) {
    return new BudgetOptions(name, rate, burst, weight, counting);
  }

  /** These, with another weight. */
  public BudgetOptions withWeight(int newWeight) {
    return new BudgetOptions(name, rate, burst, newWeight, counting);
  }

  /** These, with other bytes counted. */
  public BudgetOptions counting(Counting counting) {
    return new BudgetOptions(name, rate, burst, weight, counting);
  }
}
