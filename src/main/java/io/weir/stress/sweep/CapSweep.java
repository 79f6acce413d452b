package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepPoint.Verdict;
import io.weir.run.SweepResult;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.Slo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The arms of a sweep: for each kind a {@link CapSearch}, the kinds in turn, so that the machine
 * treats them alike.
 *
 * <p><b>Threads:</b> one.
 */
public final class CapSweep implements ArmQueue {

  /** What a name of an arm stands for. */
  private record Asked(SweptArm kind, Rate cap) {}

  /** Before it is measured: what a merge reads from storage for each byte that it writes. */
  private static final double MOST_READ_OF_A_WRITTEN_BYTE = 1.6;

  private final SweepPlan plan;
  private final CapSearch search;
  private final Map<String, Asked> asked = new LinkedHashMap<>(); // in the order of first rounds

  /** A sweep that has not begun. */
  public CapSweep(SweepPlan plan) {
    this.plan = plan;
    this.search = new CapSearch(plan);
  }

  @Override
  public Optional<Turn> next(List<Part> results) {
    return plan.kinds().stream()
        .flatMap(kind -> wanted(kind, results).stream())
        .min(Comparator.comparingLong(wanted -> roundsOf(wanted.kind(), results)))
        .map(wanted -> turn(wanted, results));
  }

  private Optional<Asked> wanted(SweptArm kind, List<Part> results) {
    return search.next(points(kind, results).values()).map(cap -> new Asked(kind, cap));
  }

  private long roundsOf(SweptArm kind, List<Part> results) {
    return results.stream().filter(result -> of(result).kind().equals(kind)).count();
  }

  private Turn turn(Asked wanted, List<Part> results) {
    Arm arm = wanted.kind().under(wanted.cap());
    asked.putIfAbsent(arm.name(), wanted);
    int round = roundsOf(arm.name(), results).size() + 1;
    return new Turn(arm, round, place(arm, round, wanted.kind(), results));
  }

  /** Those of the answers; where there is none, of the lowest cap. */
  @Override
  public List<SloResult> judge(List<Part> results) {
    List<SloResult> slos = new ArrayList<>();
    for (SweptArm kind : plan.kinds()) {
      Map<String, CapSearch.CapPoint> points = points(kind, results);
      if (points.isEmpty() || search.next(points.values()).isPresent()) {
        return List.of();
      }
      slos.addAll(slos(search.best(points.values()).orElse(lowest(points)), kind, results));
    }
    return slos;
  }

  @Override
  public Optional<SweepResult> sweep(List<Part> results, boolean interrupted) {
    List<Part> ended =
        results.stream().filter(arm -> !interrupted || arm.status() != Status.INTERRUPTED).toList();
    return Optional.of(
        new SweepResult(
            plan.slos().stream().map(Slo::text).toList(),
            plan.rounds(),
            asked.values().stream()
                .filter(one -> !roundsOf(one.kind(), one.cap(), ended).isEmpty())
                .map(one -> point(one, ended))
                .toList(),
            plan.kinds().stream().map(kind -> answer(kind, ended)).toList()));
  }

  /**
   * The most time that all of it may take.
   *
   * @param mergeBytes what the merge writes
   * @param ownBytesPerSecond what it writes in a second without a cap
   */
  public Duration mostTime(long mergeBytes, long ownBytesPerSecond) {
    return plan.kinds().stream()
        .map(
            kind -> {
              double counted = kind.countsReads() ? 1 + MOST_READ_OF_A_WRITTEN_BYTE : 1;
              long bytes = Math.round(counted * mergeBytes);
              return way(kind, bytes, Math.round(counted * ownBytesPerSecond)).from(List.of());
            })
        .reduce(Duration.ZERO, Duration::plus);
  }

  private LongestWay way(SweptArm kind, long mergeBytes, long ownBytesPerSecond) {
    return new LongestWay(search, plan.rounds(), kind, mergeBytes, ownBytesPerSecond);
  }

  private Map<String, CapSearch.CapPoint> points(SweptArm kind, List<Part> results) {
    Map<String, CapSearch.CapPoint> points = new LinkedHashMap<>();
    List<Part> uncapped = roundsOf(kind, Rate.UNLIMITED, results);
    asked.forEach(
        (name, one) -> {
          List<Part> rounds = roundsOf(name, results);
          if (one.kind().equals(kind) && !rounds.isEmpty()) {
            points.put(
                name, CapSearch.CapPoint.of(plan, one.cap(), kind.countsReads(), rounds, uncapped));
          }
        });
    return points;
  }

  private Asked of(Part result) {
    return asked.get(result.name());
  }

  private static List<Part> roundsOf(SweptArm kind, Rate cap, List<Part> results) {
    return roundsOf(kind.under(cap).name(), results);
  }

  private static List<Part> roundsOf(String arm, List<Part> results) {
    return results.stream().filter(result -> result.name().equals(arm)).toList();
  }

  private static CapSearch.CapPoint lowest(Map<String, CapSearch.CapPoint> points) {
    return points.values().stream()
        .min(Comparator.comparing(CapSearch.CapPoint::cap, CapSearch.BY_RATE))
        .orElseThrow();
  }

  private List<SloResult> slos(CapSearch.CapPoint point, SweptArm kind, List<Part> results) {
    String name = kind.under(point.cap()).name();
    List<Part> uncapped = roundsOf(kind, Rate.UNLIMITED, results);
    List<Part> rounds = roundsOf(name, results);
    return plan.slos().stream().map(slo -> slo.judge(name, rounds, uncapped)).toList();
  }

  private SweepPoint point(Asked one, List<Part> results) {
    List<Part> rounds = roundsOf(one.kind(), one.cap(), results);
    List<Part> uncapped = roundsOf(one.kind(), Rate.UNLIMITED, results);
    CapSearch.CapPoint point =
        CapSearch.CapPoint.of(plan, one.cap(), one.kind().countsReads(), rounds, uncapped);
    Map<String, Double> figures = new TreeMap<>();
    for (RunFigure figure : RunFigure.values()) {
      figure.median(rounds).ifPresent(median -> figures.put(figure.id(), median));
    }
    Optional<Double> own = RunFigure.MERGE_SECONDS.median(uncapped).filter(seconds -> seconds > 0);
    return new SweepPoint(
        one.kind().under(one.cap()).name(),
        one.kind().name(),
        bytesPerSecond(one.cap()),
        rounds.size(),
        point.verdict(),
        figures,
        own.flatMap(seconds -> point.mergeSeconds().map(capped -> capped / seconds)),
        liftedRounds(rounds),
        slos(point, one.kind(), results));
  }

  private static Optional<Integer> liftedRounds(List<Part> rounds) {
    List<Long> lifts =
        rounds.stream()
            .filter(Part::isMeasured)
            .flatMap(arm -> arm.get(MergeFigures.CAP_LIFTS).stream())
            .toList();
    return lifts.isEmpty()
        ? Optional.empty()
        : Optional.of((int) lifts.stream().filter(count -> count > 0).count());
  }

  private SweepAnswer answer(SweptArm kind, List<Part> results) {
    Map<String, CapSearch.CapPoint> points = points(kind, results);
    boolean over = !points.isEmpty() && search.next(points.values()).isEmpty();
    Optional<CapSearch.CapPoint> best =
        over ? search.best(points.values()) : search.bestSoFar(points.values());
    boolean failed =
        points.values().stream()
            .anyMatch(point -> !point.cap().isLimited() && point.verdict() == Verdict.FAILED);
    SweepAnswer.Status status =
        !over || best.isEmpty() && failed && plan.caps().isEmpty()
            ? SweepAnswer.Status.UNKNOWN
            : best.isPresent() ? SweepAnswer.Status.FOUND : SweepAnswer.Status.NONE;
    Optional<CapSearch.CapPoint> told =
        status == SweepAnswer.Status.NONE ? Optional.of(lowest(points)) : best;
    return new SweepAnswer(
        kind.name(),
        status,
        told.map(point -> kind.under(point.cap()).name()),
        told.flatMap(point -> bytesPerSecond(point.cap())),
        over && best.map(search::isConfirmed).orElse(false),
        best.map(point -> contradictions(point, kind, points)).orElse(List.of()));
  }

  private static List<String> contradictions(
      CapSearch.CapPoint best, SweptArm kind, Map<String, CapSearch.CapPoint> points) {
    return points.values().stream()
        .filter(
            point -> {
              int above = CapSearch.BY_RATE.compare(point.cap(), best.cap());
              return above < 0 ? point.isTooHigh() : above > 0 && point.isMet();
            })
        .map(point -> kind.under(point.cap()).name())
        .toList();
  }

  private static Optional<Long> bytesPerSecond(Rate cap) {
    return cap.isLimited() ? Optional.of(cap.bytesPerSecond()) : Optional.empty();
  }

  /** {@code point 5, round 2 of 3; 21MB/s met, 85MB/s missed; at most about 12 min left}. */
  private String place(Arm arm, int round, SweptArm kind, List<Part> results) {
    List<String> parts = new ArrayList<>();
    int rounds = round > plan.rounds() ? 2 * plan.rounds() : plan.rounds();
    parts.add(
        "point %d, round %d of %d%s"
            .formatted(
                List.copyOf(asked.keySet()).indexOf(arm.name()) + 1,
                round,
                rounds,
                round > plan.rounds() ? " to confirm it" : ""));
    List<String> known = new ArrayList<>();
    for (CapSearch.CapPoint point : points(kind, results).values()) {
      if (!point.isOpen()) {
        known.add(
            (point.cap().isLimited()
                    ? SweepPoint.capText(point.cap().bytesPerSecond())
                    : SweptArm.UNCAPPED)
                + (point.isMet()
                    ? " met"
                    : point.verdict() == Verdict.FAILED ? " failed" : " missed"));
      }
    }
    if (!known.isEmpty()) {
      parts.add(String.join(", ", known));
    }
    left(results)
        .ifPresent(
            left ->
                parts.add(
                    "at most about %s left"
                        .formatted(
                            left.toSeconds() < 120
                                ? left.toSeconds() + " s"
                                : left.plusSeconds(30).toMinutes() + " min")));
    return String.join("; ", parts);
  }

  /** Empty before every kind has shown what its merge takes without a cap. */
  private Optional<Duration> left(List<Part> results) {
    Duration left = Duration.ZERO;
    for (SweptArm kind : plan.kinds()) {
      Map<String, CapSearch.CapPoint> points = points(kind, results);
      Optional<CapSearch.CapPoint> uncapped =
          Optional.ofNullable(points.get(kind.under(Rate.UNLIMITED).name()))
              .filter(point -> !point.isOpen());
      if (uncapped.isEmpty()) {
        return Optional.empty();
      }
      OptionalLong rate = uncapped.get().mergeBytesPerSecond();
      if (rate.isPresent()) {
        long own = rate.getAsLong();
        long bytes = Math.round(own * uncapped.get().mergeSeconds().orElseThrow());
        left = left.plus(way(kind, bytes, own).from(points.values()));
      }
    }
    return Optional.of(left);
  }

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
  private record LongestWay(
      CapSearch search, int rounds, SweptArm kind, long mergeBytes, long ownBytesPerSecond) {

    /** What there is to do from {@code points} on. */
    Duration from(Collection<CapSearch.CapPoint> points) {
      Map<Rate, CapSearch.CapPoint> known = new LinkedHashMap<>();
      points.forEach(point -> known.put(point.cap(), point));
      Duration time = Duration.ZERO;
      for (Optional<Rate> next = search.next(known.values());
          next.isPresent();
          next = search.next(known.values())) {
        Rate cap = next.get();
        time =
            time.plus(RunForecast.time(kind.under(cap).settings(), mergeBytes, ownBytesPerSecond));
        known.put(cap, oneMore(cap, Optional.ofNullable(known.get(cap))));
      }
      return time;
    }

    private CapSearch.CapPoint oneMore(Rate cap, Optional<CapSearch.CapPoint> before) {
      int round = before.map(CapSearch.CapPoint::rounds).orElse(0) + 1;
      OptionalLong lowest = search.lowest(ownBytesPerSecond);
      boolean met =
          round > rounds
              || cap.isLimited()
                  && lowest.isPresent()
                  && cap.bytesPerSecond() <= lowest.getAsLong();
      long bytesPerSecond =
          cap.isLimited() ? Math.min(cap.bytesPerSecond(), ownBytesPerSecond) : ownBytesPerSecond;
      return new CapSearch.CapPoint(
          cap,
          round,
          round % rounds != 0 ? Verdict.OPEN : met ? Verdict.MET : Verdict.MISSED,
          met,
          met,
          Optional.of((double) mergeBytes / bytesPerSecond),
          OptionalLong.of(bytesPerSecond));
    }
  }
}
