package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.SweepPoint.Verdict;
import io.weir.stress.experiment.RunForecast;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The most time that a search may still take: when everything misses but the lowest cap, which is
 * also the slowest. That no answer fails to be confirmed is taken for granted.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param kind of arm
 * @param mergeBytes what its merge writes, and reads if caps count that
 * @param ownBytesPerSecond the same in a second without a cap
 */
record LongestWay(
    CapSearch search, int rounds, SweptArm kind, long mergeBytes, long ownBytesPerSecond) {

  /** What there is to do from {@code points} on. */
  Duration from(Collection<CapPoint> points) {
    Map<Rate, CapPoint> known = new LinkedHashMap<>();
    points.forEach(point -> known.put(point.cap(), point));
    Duration time = Duration.ZERO;
    for (Optional<Rate> next = search.next(known.values());
        next.isPresent();
        next = search.next(known.values())) {
      Rate cap = next.get();
      time = time.plus(RunForecast.time(kind.under(cap).settings(), mergeBytes, ownBytesPerSecond));
      known.put(cap, oneMore(cap, Optional.ofNullable(known.get(cap))));
    }
    return time;
  }

  private CapPoint oneMore(Rate cap, Optional<CapPoint> before) {
    int round = before.map(CapPoint::rounds).orElse(0) + 1;
    OptionalLong lowest = search.lowest(ownBytesPerSecond);
    boolean met =
        round > rounds
            || cap.isLimited() && lowest.isPresent() && cap.bytesPerSecond() <= lowest.getAsLong();
    long bytesPerSecond =
        cap.isLimited() ? Math.min(cap.bytesPerSecond(), ownBytesPerSecond) : ownBytesPerSecond;
    return new CapPoint(
        cap,
        round,
        round % rounds != 0 ? Verdict.OPEN : met ? Verdict.MET : Verdict.MISSED,
        met,
        met,
        Optional.of((double) mergeBytes / bytesPerSecond),
        OptionalLong.of(bytesPerSecond));
  }
}
