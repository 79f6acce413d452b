package io.weir.why;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Whether a disk gave all that it can, from what it gave second by second. One that is only slow
 * gives less where requests are larger or further apart. One at a limit gives the same in each
 * second while requests queue; and less than before, once it has spent what it had saved up.
 *
 * <p><b>Threads:</b> there is no state.
 */
final class DiskLimit {

  /** Requests that always come one after the other keep a disk busy, too, but queue none. */
  static final double FULL_QUEUE = 2;

  private static final double FULL_PERCENT = 90;

  /** Samples are a second apart, give or take; and a limit is kept over some time, not exactly. */
  private static final double EVEN = 0.15;

  /** A rare second may differ: another machine, a pause of the one that samples. */
  private static final double MOST = 0.8;

  /** A shorter time says nothing of a level. */
  private static final int LEAST_SECONDS = 3;

  /** A limit of operations falls while bytes rise if requests grow: that is no drop. */
  private static final double SAME = 1.05;

  /**
   * What a disk did in about a second.
   *
   * @param operations it served in a second
   * @param bytes it read and wrote in a second
   * @param busyPercent of the time it had a request
   * @param queue requests at it, mean
   */
  record Second(double operations, double bytes, double busyPercent, double queue) {

    boolean isFull() {
      return busyPercent >= FULL_PERCENT && queue >= FULL_QUEUE;
    }
  }

  private static final List<ToDoubleFunction<Second>> RATES =
      List.of(Second::operations, Second::bytes);

  private DiskLimit() {}

  /** {@link Fact#DISK_EVEN} and, if it was full at the begin and at the end, the drop. */
  static Map<Fact, Double> facts(List<Second> seconds) {
    Map<Fact, Double> facts = new TreeMap<>((a, b) -> a.id().compareTo(b.id()));
    if (seconds.size() < LEAST_SECONDS) {
      return facts;
    }
    facts.put(
        Fact.DISK_EVEN,
        100 * RATES.stream().mapToDouble(rate -> evenShare(seconds, rate)).max().orElseThrow());
    List<Double> drops = new ArrayList<>();
    for (int at = LEAST_SECONDS; at <= seconds.size() - LEAST_SECONDS; at++) {
      List<Second> before = seconds.subList(0, at);
      List<Second> after = seconds.subList(at, seconds.size());
      for (ToDoubleFunction<Second> rate : RATES) {
        if (evenShare(before, rate) >= MOST && evenShare(after, rate) >= MOST) {
          drops.add(
              RATES.stream().allMatch(any -> isNoMore(before, after, any))
                  ? 1 - median(after, rate) / median(before, rate)
                  : 0);
        }
      }
    }
    drops.stream()
        .max(Double::compare)
        .ifPresent(drop -> facts.put(Fact.DISK_DROP, 100 * Math.max(0, drop)));
    return facts;
  }

  private static boolean isNoMore(
      List<Second> before, List<Second> after, ToDoubleFunction<Second> rate) {
    return median(after, rate) <= SAME * median(before, rate);
  }

  /** The share of seconds in which it was full and gave about what it gave in most of those. */
  private static double evenShare(List<Second> seconds, ToDoubleFunction<Second> rate) {
    List<Second> full = seconds.stream().filter(Second::isFull).toList();
    if (full.isEmpty()) {
      return 0;
    }
    double level = median(full, rate);
    return (double)
            full.stream()
                .filter(one -> Math.abs(rate.applyAsDouble(one) - level) <= EVEN * level)
                .count()
        / seconds.size();
  }

  private static double median(List<Second> seconds, ToDoubleFunction<Second> rate) {
    return seconds.stream()
        .mapToDouble(rate)
        .sorted()
        .skip(seconds.size() / 2)
        .findFirst()
        .orElse(0);
  }
}
