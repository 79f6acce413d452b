package io.weir.nrt;

import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.SourceFigure.byName;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.MILLIS;

import io.weir.figure.SourceFigures;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Counts the slow reopens that it hears of, and sums the time of each cause. One reopen may have
 * several causes.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> any.
 */
public final class SlowReopenTotals implements SlowReopenListener {

  /** What is shown of them. */
  public static final SourceFigures<SlowReopenTotals> FIGURES =
      SourceFigures.of(
          "lucene.refresh",
          total("slow", COUNT, "Number of slow reopens", SlowReopenTotals::count).only(BEAN),
          byName(
              "slow.cause",
              MILLIS,
              "Time of each cause in slow reopens",
              SlowReopenTotals::millisByCause));

  private final Map<ReopenCause, Long> causeNanos = new EnumMap<>(ReopenCause.class); // by this
  private final Map<ReopenCause, Long> causeReopens = new EnumMap<>(ReopenCause.class); // by this
  private long count; // guarded by this
  private long totalNanos; // guarded by this

  @Override
  public synchronized void slowReopen(SlowReopen slow) {
    Objects.requireNonNull(slow, "slow");
    count++;
    totalNanos += slow.reopen().totalNanos();
    slow.causeNanos()
        .forEach(
            (cause, nanos) -> {
              causeNanos.merge(cause, nanos, Long::sum);
              causeReopens.merge(cause, 1L, Long::sum);
            });
  }

  /** Number of slow reopens. */
  public synchronized long count() {
    return count;
  }

  /** Time of each cause that occurred. */
  public synchronized Map<ReopenCause, Long> causeNanos() {
    return Collections.unmodifiableMap(new EnumMap<>(causeNanos));
  }

  private Map<String, Double> millisByCause() {
    Map<String, Double> millis = new TreeMap<>();
    causeNanos()
        .forEach((cause, nanos) -> millis.put(cause.name().toLowerCase(Locale.ROOT), nanos / 1e6));
    return millis;
  }

  /** Number of slow reopens with each cause that occurred. */
  public synchronized Map<ReopenCause, Long> causeReopens() {
    return Collections.unmodifiableMap(new EnumMap<>(causeReopens));
  }

  /** Time of all slow reopens, each from its start to its finish. */
  public synchronized long totalNanos() {
    return totalNanos;
  }
}
