package io.weir.jmx;

import java.util.List;
import java.util.Map;

/**
 * The JMX view of the reopens of one index, and of the causes of slow ones.
 *
 * <p><b>Units:</b> milliseconds. Counters start when the monitor is attached.
 */
public interface ReopensMXBean {

  /** Reopens that made a new searcher visible. */
  long getChanged();

  /** Reopens that found nothing new. */
  long getUnchanged();

  /** Reopens that threw. */
  long getFailed();

  /** Duration of all reopens together. */
  double getTotalMillis();

  /** Duration of the last reopen; null before the first. */
  Double getLastMillis();

  /** Duration of the longest reopen; null before the first. */
  Double getMaxMillis();

  /** Time since the last good reopen began. */
  double getStalenessMillis();

  /** Number of slow reopens. */
  long getSlow();

  /** Time of each cause in slow reopens. */
  Map<String, Double> getSlowCauseMillis();

  /** The last slow reopens, oldest first: duration, causes, merges that ran. */
  List<String> getRecentSlow();
}
