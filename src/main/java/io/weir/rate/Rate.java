package io.weir.rate;

import java.util.Objects;

/**
 * The rate of a byte budget: a number of bytes per second, unlimited, or paused.
 *
 * <p>The two extremes have names instead of special numbers, so that zero and infinity cannot be
 * confused.
 *
 * <p><b>Units:</b> bytes per second, from {@link #MIN_BYTES_PER_SECOND} to {@link
 * #MAX_BYTES_PER_SECOND}.
 *
 * @param state which of the three kinds this is
 * @param bytesPerSecond the cap when {@code state} is {@link State#LIMITED}; otherwise 0
 */
public record Rate(State state, long bytesPerSecond) {

  /** Which of the three kinds of rate. */
  public enum State {
    /** A cap in bytes per second. */
    LIMITED,
    /** Every byte passes at once; bytes are still counted. */
    UNLIMITED,
    /** No byte passes until the rate is changed. */
    PAUSED
  }

  /** The lowest cap: 1 byte/s. */
  public static final long MIN_BYTES_PER_SECOND = 1;

  /** The highest cap: 16 GiB/s. */
  public static final long MAX_BYTES_PER_SECOND = 16L << 30;

  /** Every byte passes at once. */
  public static final Rate UNLIMITED = new Rate(State.UNLIMITED, 0);

  /** No byte passes. */
  public static final Rate PAUSED = new Rate(State.PAUSED, 0);

  /** Refuses a cap out of range. */
  public Rate {
    Objects.requireNonNull(state, "state");
    if (state == State.LIMITED) {
      if (bytesPerSecond < MIN_BYTES_PER_SECOND || bytesPerSecond > MAX_BYTES_PER_SECOND) {
        throw new IllegalArgumentException(
            "bytesPerSecond must be from "
                + MIN_BYTES_PER_SECOND
                + " to "
                + MAX_BYTES_PER_SECOND
                + " bytes/s (for none or all use Rate.PAUSED or Rate.UNLIMITED): "
                + bytesPerSecond);
      }
    } else if (bytesPerSecond != 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond must be 0 when " + state + ": " + bytesPerSecond);
    }
  }

  /**
   * A cap.
   *
   * @throws IllegalArgumentException when out of range
   */
  public static Rate perSecond(long bytes) {
    return new Rate(State.LIMITED, bytes);
  }

  /** Whether this is a cap in bytes per second. */
  public boolean isLimited() {
    return state == State.LIMITED;
  }

  @Override
  public String toString() {
    return isLimited()
        ? bytesPerSecond + " bytes/s"
        : state.name().toLowerCase(java.util.Locale.ROOT);
  }
}
