package io.weir.jmx;

import java.util.List;

/**
 * The JMX view of a {@link io.weir.control.LatencyGoal}: what it holds, and what it did.
 *
 * <p><b>Units:</b> bytes per second.
 */
public interface LatencyGoalMXBean {

  /** What is held, with the percentile that was seen and the number of misses. */
  List<String> getTargets();

  /** The rate that was set last; null if there is no cap. */
  Long getBytesPerSecond();

  /** The lowest rate; null before the first decision. */
  Long getFloorBytesPerSecond();

  /** The highest rate; null if there is none. */
  Long getCeilingBytesPerSecond();

  /** Why the rate is what it is; null before the first decision. */
  String getReason();

  /** The last minute in sentences, oldest first. */
  List<String> getLastMinute();
}
