package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.DeadlinePolicy.Progress;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.rate.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** The policy on simulated merges: what the disk can do, and what the rate allows. */
class DeadlinePolicyTest {

  private static final double TICK_SECONDS = 0.5;
  private static final double GIGABYTE = 1e9;

  private record Look(double seconds, DeadlineSnapshot snapshot) {}

  /** A merge: its end, and what was said on the way. */
  private record Run(double endSeconds, List<Look> looks) {

    DeadlineSnapshot at(double seconds) {
      return looks.stream()
          .filter(l -> l.seconds() >= seconds)
          .findFirst()
          .orElseThrow()
          .snapshot();
    }

    /** The largest error of the predicted end after a third of the merge, relative to the end. */
    double worstError() {
      return looks.stream()
          .filter(l -> l.seconds() > endSeconds / 3)
          .mapToDouble(
              l -> {
                double told = l.snapshot().remaining().orElseThrow().toNanos() / 1e9;
                return Math.abs(l.seconds() + told - endSeconds) / endSeconds;
              })
          .max()
          .orElseThrow();
    }
  }

  /**
   * Plays a merge whose size is known.
   *
   * @param speed lasting bytes per second that the disk can do, by the fraction done
   * @param overhead charged bytes per lasting byte
   */
  private static Run run(
      double deadlineSeconds, double bytes, double overhead, DoubleUnaryOperator speed) {
    return run(deadlineSeconds, bytes, bytes, 0, overhead, speed);
  }

  /**
   * Plays a merge.
   *
   * @param estimated what is expected of its lasting bytes
   * @param compound bytes of a compound file that it writes at the end
   */
  private static Run run(
      double deadlineSeconds,
      double bytes,
      double estimated,
      double compound,
      double overhead,
      DoubleUnaryOperator speed) {
    DeadlinePolicy policy = new DeadlinePolicy(nanos(deadlineSeconds));
    List<Look> looks = new ArrayList<>();
    double done = 0;
    double copied = 0;
    double now = 0;
    boolean delayed = false;
    while (done < bytes || copied < compound) {
      DeadlineSnapshot snapshot =
          policy.decide(
              nanos(now),
              Optional.of(
                  new Progress(
                      (long) done,
                      (long) estimated,
                      Math.max(0, (long) estimated - (long) done),
                      (long) (done * overhead + copied),
                      delayed)));
      looks.add(new Look(now, snapshot));
      double can = speed.applyAsDouble(done / bytes);
      double charged = done < bytes ? overhead : 1;
      double may =
          snapshot.rate().isLimited()
              ? snapshot.rate().bytesPerSecond() / charged
              : Double.MAX_VALUE;
      delayed = may < can;
      double written = Math.min(can, may) * TICK_SECONDS;
      if (done < bytes) {
        done += written;
      } else {
        copied += written;
      }
      now += TICK_SECONDS;
    }
    return new Run(now, looks);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  @Test
  void plentyOfTime_mergeIsSpreadOverNineTenths_andEstimatesHold() {
    for (double seconds : new double[] {60, 600, 6 * 3600}) {
      Run run = run(seconds, 2 * GIGABYTE, 1.3, fraction -> 100e6);

      assertEquals(0.9 * seconds, run.endSeconds(), 0.03 * seconds);
      assertTrue(run.worstError() < 0.2, () -> seconds + " s: " + run.worstError());
      assertEquals(Outlook.ON_TIME, run.at(6).outlook(), "told within the first minute");
      double even = 2 * GIGABYTE * 1.3 / (0.9 * seconds);
      for (Look look : run.looks()) {
        if (look.seconds() > 10 && look.seconds() < 0.8 * seconds) {
          assertEquals(even, look.snapshot().rate().bytesPerSecond(), 0.35 * even);
        }
      }
    }
  }

  /**
   * It verifies the next input for three seconds, and hardly writes. The disk could do it in 38 s.
   */
  @Test
  void mergeThatStopsWritingAgainAndAgain_isPredictedByThePlanThatItFollows() {
    Run run = run(60, 767e6, 1, fraction -> fraction % 0.2 < 0.012 ? 3e6 : 31e6);

    assertTrue(run.endSeconds() <= 60, () -> "" + run.endSeconds());
    assertTrue(run.worstError() < 0.2, () -> "" + run.worstError());
  }

  @Test
  void tightTime_mergeRunsAsFastAsTheDiskCan_andIsInTime() {
    Run run = run(25, 2 * GIGABYTE, 1, fraction -> 90e6);

    assertTrue(run.endSeconds() <= 25, () -> "" + run.endSeconds());
    assertTrue(run.worstError() < 0.2, () -> "" + run.worstError());
  }

  @Test
  void tooLittleTime_isSaidInTheFirstMinute_withTheRightEnd() {
    Run run = run(60, 10 * GIGABYTE, 1, fraction -> 50e6);

    assertEquals(200, run.endSeconds(), 1);
    assertEquals(Outlook.LATE, run.at(20).outlook());
    assertTrue(run.worstError() < 0.2, () -> "" + run.worstError());
    assertEquals(Rate.UNLIMITED, run.at(61).rate(), "nothing is gained by holding it back");
  }

  @Test
  void phasesOfDifferentSpeed_withSlack_areInTime() {
    // Stored fields, postings, and a minute without any bytes, such as a graph of vectors.
    Run run =
        run(
            600,
            2 * GIGABYTE,
            1.1,
            fraction ->
                fraction < 0.5 ? 100e6 : fraction < 0.7 ? 12e6 : fraction < 0.701 ? 4e4 : 60e6);

    assertTrue(run.endSeconds() <= 600, () -> "" + run.endSeconds());
    assertTrue(run.endSeconds() > 500, () -> "gentle: " + run.endSeconds());
    assertTrue(run.worstError() < 0.2, () -> "" + run.worstError());
  }

  @Test
  void noisySpeed_estimatesHold() {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      Run run = run(100, 4 * GIGABYTE, 1, fraction -> 20e6 + 40e6 * random.nextDouble());
      assertTrue(run.worstError() < 0.2, () -> "" + run.worstError());
    }
  }

  @Test
  void diskBecomesSlower_rateMakesUpForIt() {
    Run run = run(300, 2 * GIGABYTE, 1, fraction -> fraction > 0.3 && fraction < 0.35 ? 2e6 : 80e6);

    assertTrue(run.endSeconds() <= 300, () -> "" + run.endSeconds());
    assertTrue(run.at(200).rate().bytesPerSecond() > run.at(30).rate().bytesPerSecond());
  }

  /** Documents that are softly deleted, and better or worse compression: estimates have errors. */
  @Test
  void outputLargerThanExpected_isInTime() {
    for (double error : new double[] {1.02, 1.05, 1.5}) {
      double bytes = 2 * GIGABYTE;
      Run run = run(600, bytes, bytes / error, 0, 1, fraction -> 100e6);

      assertTrue(run.endSeconds() <= 600, () -> error + ": " + run.endSeconds());
      assertTrue(run.endSeconds() > 530, () -> error + ", gentle: " + run.endSeconds());
      assertEquals(Outlook.UNKNOWN, run.looks().getLast().snapshot().outlook());
    }
  }

  @Test
  void compoundFile_fitsIntoTheReserve_alsoWhenTheEstimateIsTooHigh() {
    for (double estimated : new double[] {1e9, 1.02e9}) {
      Run run = run(120, 1e9, estimated, 1e9, 1, fraction -> 100e6);
      assertTrue(run.endSeconds() <= 120, () -> estimated + ": " + run.endSeconds());
    }
    // An hour of reserve is enough for a tenth of the disk's speed.
    Run night = run(36_000, 50e9, 50e9, 50e9, 1, fraction -> 400e6);
    assertTrue(night.endSeconds() <= 36_000, () -> "" + night.endSeconds());
    assertTrue(night.at(32_500).rate().bytesPerSecond() < 60e6, night.at(32_500)::describe);
  }

  @Test
  void compoundFileThatEndsLate_isNotSaidToBeOnTime() {
    Run run = run(120, 1e9, 1e9, 1e9, 1, fraction -> 12e6);

    assertTrue(run.endSeconds() > 120, () -> "" + run.endSeconds());
    assertEquals(Outlook.LATE, run.looks().getLast().snapshot().outlook());
    assertTrue(
        run.looks().stream()
            .filter(look -> look.seconds() > 110)
            .noneMatch(look -> look.snapshot().outlook() == Outlook.ON_TIME));
  }

  /** A clock begins anywhere, also below zero. */
  @Test
  void decide_onAnyClock_isTheSame() {
    List<String> atZero = decisions(0);
    assertTrue(atZero.size() > 100);
    assertTrue(String.join(" ", atZero).contains("true"), "it is at risk at some time");
    assertEquals(atZero, decisions(nanos(3600)));
    assertEquals(atZero, decisions(-nanos(1e6)));
    assertEquals(atZero, decisions(Long.MAX_VALUE - nanos(60)));
  }

  /** Of a merge that is known late, stands still for a while and is followed by another one. */
  private static List<String> decisions(long originNanos) {
    DeadlinePolicy policy = new DeadlinePolicy(originNanos + nanos(100));
    List<String> decisions = new ArrayList<>();
    for (int second = 0; second < 130; second++) {
      boolean stands = second > 40 && second < 50;
      long done = (second < 80 ? second - (stands ? second - 40 : 0) : second - 80) * 10_000_000L;
      Optional<Progress> progress =
          second < 5
              ? Optional.empty()
              : Optional.of(
                  new Progress(
                      done, 900_000_000, 900_000_000 - done, done * 5 / 4, second % 3 > 0));
      decisions.add(policy.decide(originNanos + nanos(second), progress) + " " + policy.isAtRisk());
    }
    return decisions;
  }

  @Test
  void deadlineOpenedDuringAMerge_speedIsThatSeenSince() {
    DeadlinePolicy policy = new DeadlinePolicy(nanos(60));
    List<DeadlineSnapshot> looks = new ArrayList<>();
    for (double now = 0; now <= 10; now += TICK_SECONDS) {
      long done = Math.round(40e9 + now * 10e6);
      Progress progress = new Progress(done, (long) 50e9, (long) 50e9 - done, done, false);
      looks.add(policy.decide(nanos(now), Optional.of(progress)));
    }
    DeadlineSnapshot last = looks.getLast();
    assertEquals(Outlook.LATE, last.outlook(), last::describe);
    assertEquals(1000, last.remaining().orElseThrow().toSeconds(), 200);
  }

  /** Readers would take half of its speed for as long as it yields: it would need 160 s. */
  @Test
  void mergeThatYields_isAtRiskAsSoonAsThePlanDoesNotHold_andThenInTime() {
    DeadlinePolicy policy = new DeadlinePolicy(nanos(100));
    double done = 0;
    double now = 0;
    int yielded = 0;
    assertFalse(policy.isAtRisk());
    while (done < 4 * GIGABYTE) {
      long left = Math.round(4 * GIGABYTE - done);
      Progress progress =
          new Progress((long) done, Math.round(4 * GIGABYTE), left, (long) done, false);
      policy.decide(nanos(now), Optional.of(progress));
      yielded += policy.isAtRisk() ? 0 : 1;
      done += (policy.isAtRisk() ? 50e6 : 25e6) * TICK_SECONDS;
      now += TICK_SECONDS;
    }
    double end = now;
    assertTrue(end <= 100, () -> "" + end);
    assertTrue(yielded >= 5 / TICK_SECONDS, "it never yielded");

    policy.decide(nanos(now), Optional.empty());
    assertFalse(policy.isAtRisk());
    policy.decide(nanos(100), Optional.empty());
    assertTrue(policy.isAtRisk(), "the deadline has passed");
  }

  /** Its rate holds it back, so it has time to yield. */
  @Test
  void mergeThatFollowsThePlan_isNotAtRisk_beforeItsReserve() {
    DeadlinePolicy policy = new DeadlinePolicy(nanos(100));
    double done = 0;
    for (double now = 0; now < 100; now += TICK_SECONDS) {
      long left = Math.max(0, Math.round(GIGABYTE - done));
      Progress progress =
          new Progress((long) done, Math.round(GIGABYTE), left, (long) done, now > 0);
      DeadlineSnapshot snapshot = policy.decide(nanos(now), Optional.of(progress));
      assertEquals(now > 90, policy.isAtRisk(), () -> snapshot.describe());
      done += snapshot.rate().bytesPerSecond() * TICK_SECONDS;
    }
  }

  @Test
  void noMerge_saysSo_andHoldsTheFirstBytesBack() {
    DeadlinePolicy policy = new DeadlinePolicy(nanos(100));

    DeadlineSnapshot before = policy.decide(0, Optional.empty());
    assertEquals(Outlook.NO_MERGE, before.outlook());
    assertEquals(Rate.perSecond(DeadlinePolicy.LEAST_BYTES_PER_SECOND), before.rate());
    assertEquals(Rate.UNLIMITED, policy.decide(nanos(100), Optional.empty()).rate());
    assertTrue(
        before.describe().startsWith("no forced merge runs: 100 s until"), before.describe());
  }

  @Test
  void description_hasTheFigures() {
    Run run = run(100, 2 * GIGABYTE, 1, fraction -> 100e6);

    String text = run.at(45).describe();
    assertTrue(
        text.matches(
            "on time: 5\\d % done, about 4\\d s to go, 55 s until the deadline, at 2\\d\\.\\d MB/s"),
        text);
  }
}
