package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.stress.QuickArm;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.ArmQueue.Turn;
import io.weir.stress.plan.Slo;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Preset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs the arms of a sweep in no time: a merge of {@value #MERGE_MEGABYTES} MB that writes {@value
 * #OWN} MB/s by itself and reads {@value #READ_MEGABYTES} MB, and reopens that take what a test
 * says. In the first round a cap below {@value #LIFTED_BELOW} MB/s is lifted.
 */
final class FakeArms {

  /** What a reopen takes under a cap in a round. */
  interface Disk {
    /**
     * Milliseconds, or a negative number for a JVM that crashes.
     *
     * @param megabytesPerSecond of the cap; infinite for none
     */
    double reopenMillis(double megabytesPerSecond, int round);
  }

  static final double OWN = 100;
  static final double MERGE_MEGABYTES = 1000;
  static final double READ_MEGABYTES = 1500;
  static final double LIFTED_BELOW = 15;

  final List<Part> results = new ArrayList<>();
  final List<String> places = new ArrayList<>();
  private final ArmQueue sweep;
  private final Disk disk;

  FakeArms(ArmQueue sweep, Disk disk) {
    this.sweep = sweep;
    this.disk = disk;
  }

  /** A sweep of one kind of arm, called weir, that is to keep to {@code reopen.p99 < 100ms}. */
  static SweepPlan plan(int rounds) {
    return plan(rounds, List.of(), OptionalLong.empty(), OptionalLong.empty(), under100());
  }

  static SweepPlan plan(
      int rounds, List<Long> caps, OptionalLong least, OptionalLong most, Slo... slos) {
    return new SweepPlan(List.of(weir()), List.of(slos), caps, least, most, rounds, 1);
  }

  /** One round of each point. */
  static SweepPlan planOf(SweptArm... kinds) {
    return new SweepPlan(
        List.of(kinds),
        List.of(under100()),
        List.of(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        1,
        1);
  }

  static SweptArm weir() {
    return new SweptArm("weir", new QuickArm().settings());
  }

  static SweptArm weirThatCountsReads() {
    QuickArm counting = new QuickArm();
    counting.set(ArmSetting.COUNT_READS, true);
    return new SweptArm("weir", counting.settings());
  }

  static SweptArm stock() {
    QuickArm stock = new QuickArm();
    stock.set(ArmSetting.PRESET, Preset.STOCK);
    return new SweptArm("stock", stock.settings());
  }

  static Slo under100() {
    return slo(RunFigure.REOPEN_P99, Slo.Relation.LESS, 100, false);
  }

  static Slo slo(RunFigure figure, Slo.Relation relation, double bound, boolean ratio) {
    return new Slo(
        figure.id() + " " + relation.sign() + " " + bound,
        Optional.empty(),
        figure,
        relation,
        bound,
        ratio ? Optional.of(SweptArm.UNCAPPED) : Optional.empty());
  }

  /** To the end; what ran, as {@code weir 50MB/s 1}. */
  List<String> run() {
    return run(Integer.MAX_VALUE);
  }

  /** At most so many arms. */
  List<String> run(int most) {
    List<String> ran = new ArrayList<>();
    for (Optional<Turn> next = sweep.next(results);
        next.isPresent() && ran.size() < most;
        next = sweep.next(results)) {
      Turn turn = next.get();
      ran.add(turn.arm().name() + " " + turn.round());
      places.add(turn.place());
      results.add(result(turn));
    }
    return ran;
  }

  private Part result(Turn turn) {
    double cap = megabytesPerSecond(turn.arm());
    double millis = disk.reopenMillis(cap, turn.round());
    QuickResult quick = new QuickResult();
    quick.settings = turn.arm().settings().describe();
    if (millis < 0) {
      quick.status = Status.FAILED;
    } else {
      double seconds = MERGE_MEGABYTES / Math.min(OWN, cap);
      long read = Math.round(READ_MEGABYTES * 1e6);
      quick.values.put(
          QuickMerge.of(Math.round(MERGE_MEGABYTES * 1e6))
              .put(MergeFigures.SECONDS, seconds)
              .put(MergeFigures.READ_BYTES, read)
              .put(MergeFigures.CAP_LIFTS, cap < LIFTED_BELOW && turn.round() == 1 ? 1L : 0L)
              .build());
      quick.reopens(millis);
    }
    return quick.result(turn.arm().name(), turn.round());
  }

  private static double megabytesPerSecond(Arm arm) {
    Rate cap = arm.settings().mergeCap();
    return cap.isLimited() ? cap.bytesPerSecond() / 1e6 : Double.POSITIVE_INFINITY;
  }
}
