package io.weir.control;

import io.weir.rate.Rate;

/**
 * The settings of a {@link LatencyGoal}.
 *
 * @param floorBytesPerSecond the lowest rate, however late operations are: at least 1 byte/s. The
 *     rate that keeps up with indexing is the floor where it is higher
 * @param startBytesPerSecond the rate with which the first merge begins, and the most with which a
 *     merge after a rest begins: at least the floor
 */
public record GoalOptions(long floorBytesPerSecond, long startBytesPerSecond) {

  /** A floor of 1 MB/s, a start with 10 MB/s. */
  public static final GoalOptions DEFAULT = new GoalOptions(1_000_000, 10_000_000);

  /** Refuses values out of range. */
  public GoalOptions {
    Rate.perSecond(floorBytesPerSecond);
    Rate.perSecond(startBytesPerSecond);
    if (startBytesPerSecond < floorBytesPerSecond) {
      throw new IllegalArgumentException(
          "startBytesPerSecond must be at least the floor, "
              + floorBytesPerSecond
              + " bytes/s: "
              + startBytesPerSecond);
    }
  }

  /** These, with another floor, in bytes per second; a lower start is raised to it. */
  public GoalOptions withFloor(long bytesPerSecond) {
    return new GoalOptions(bytesPerSecond, Math.max(bytesPerSecond, startBytesPerSecond));
  }

  /** These, with another start, in bytes per second. */
  public GoalOptions withStart(long bytesPerSecond) {
    return new GoalOptions(floorBytesPerSecond, bytesPerSecond);
  }
}
