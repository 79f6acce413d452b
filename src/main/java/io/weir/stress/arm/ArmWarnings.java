package io.weir.stress.arm;

import io.weir.control.GoalReason;
import io.weir.control.GoalSnapshot;
import io.weir.merge.MergeKind;
import io.weir.rate.ByteBudget;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.arm.meters.Refaults;
import io.weir.stress.arm.timeline.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a reader of an arm's figures must know. */
final class ArmWarnings {

  /** In a longer gap between two samples, a peak of dirty pages may come and go unseen. */
  private static final double GAP_MILLIS = 1000;

  /** The share of due samples that may be missing, unless it is less than a second in all. */
  private static final double MISSED_SHARE = 0.05;

  private static final long LEAST_MISSED = 10;

  /** The page cache has recovered once readers miss less than this of what they missed at first. */
  private static final double RECOVERED_SHARE = 0.5;

  /** An index larger than memory is read again without a merge too, now more and now less. */
  private static final double MOST_AS_BEFORE = 1.5;

  /** Some 25 pages, which no reader feels. */
  private static final double LEAST_REFAULTED_PER_SECOND = 1e5;

  private ArmWarnings() {}

  /** Warnings about the warm-up and the samples of an arm. */
  static List<RunWarning> ofInstruments(Values arm) {
    List<RunWarning> warnings = new ArrayList<>();
    if (WarmUp.isUnsteady(arm)) {
      warnings.add(unsteady(arm));
    }
    long missed = arm.require(ArmFigures.MISSED_SAMPLES);
    long due = arm.require(ArmFigures.SAMPLES) + missed;
    double gapMillis = arm.require(ArmFigures.LONGEST_GAP);
    if (gapMillis > GAP_MILLIS || missed >= LEAST_MISSED && missed > MISSED_SHARE * due) {
      warnings.add(gaps(missed, due, gapMillis));
    }
    return warnings;
  }

  private static RunWarning unsteady(Values warmUp) {
    return new RunWarning(
        String.format(
            Locale.ROOT,
            "reopens were not steady yet after %.0f s of warm-up: half of them took %.1f ms, then"
                + " %.1f ms",
            warmUp.require(ArmFigures.WARM_UP_SECONDS),
            warmUp.require(ArmFigures.WARM_UP_EARLIER),
            warmUp.require(ArmFigures.WARM_UP_LATER)),
        "the JVM still compiles, caches still fill, or merges of the load still run",
        "a longer --warmup than %.0f s".formatted(warmUp.require(ArmFigures.WARM_UP_ASKED)));
  }

  private static RunWarning gaps(long missed, long due, double gapMillis) {
    return new RunWarning(
        "%d of %d samples were missed, with gaps of up to %.0f ms: a peak of dirty pages in a gap was not seen"
            .formatted(missed, due, gapMillis),
        "the machine or a read of /proc stalled, or a garbage collection paused the JVM",
        "look at noise and at garbage collections; latencies are not affected");
  }

  /**
   * Warnings about the load.
   *
   * @param interrupted whether the user stopped the arm
   */
  static List<RunWarning> ofLoad(Load load, boolean interrupted) {
    List<RunWarning> warnings = new ArrayList<>(ofLoops(load.loops(), interrupted));
    addNothingFound(warnings, load.hits());
    return warnings;
  }

  static List<RunWarning> ofLoops(List<OpenLoop> loops, boolean interrupted) {
    List<RunWarning> warnings = new ArrayList<>();
    for (OpenLoop loop : loops) {
      addBehind(warnings, loop);
      if (!interrupted) { // else the user asked to abandon them
        addAbandoned(warnings, loop);
      }
    }
    return warnings;
  }

  /**
   * Warnings about the large merge.
   *
   * @param interrupted whether the user stopped the arm
   */
  static List<RunWarning> ofMerge(Values merge, boolean interrupted) {
    List<RunWarning> warnings = new ArrayList<>();
    String kind = merge.require(MergeFigures.KIND);
    if (!interrupted
        && !kind.equals("none")
        && merge.get(MergeFigures.BYTES_WRITTEN).equals(Optional.of(0L))) {
      warnings.add(nothingMerged(kind));
    }
    addCriticalPauses(warnings, merge);
    merge.get(MergeFigures.BYTES_FORGIVEN).ifPresent(bytes -> addForgiven(warnings, bytes));
    merge
        .get(MergeFigures.WRITEBACK_METHOD)
        .ifPresent(method -> addWriteback(warnings, method, merge));
    return warnings;
  }

  /** A warning about a large merge that the arm did not wait for, although no user stopped it. */
  static List<RunWarning> ofTimeout(Values merge) {
    return merge.require(MergeFigures.ENDED)
        ? List.of()
        : List.of(
            new RunWarning(
                "the large merge was given up after %.0f s, so there is no phase after it"
                    .formatted(merge.require(MergeFigures.SECONDS)),
                "the arm has a merge-timeout",
                "a longer --merge-timeout, or none"));
  }

  /** A warning where readers still missed what the merge had evicted when the arm ended. */
  static List<RunWarning> ofRecovery(Refaults.Recovery pages) {
    double enough =
        Math.max(
            LEAST_REFAULTED_PER_SECOND,
            Math.max(RECOVERED_SHARE * pages.first(), MOST_AS_BEFORE * pages.before()));
    return pages.last() <= enough
        ? List.of()
        : List.of(
            new RunWarning(
                ("the page cache had not recovered when the arm ended: %s were evicted and read"
                        + " again in the first fifth of the phase after the merge, %s in the last")
                    .formatted(rate(pages.first()), rate(pages.last())),
                "searches had not yet read again what the merge had evicted",
                "ask for a longer --after"));
  }

  /**
   * Warnings about what merges were charged.
   *
   * @param countsReads whether that includes what they read
   */
  static List<RunWarning> ofCharge(Values merge, boolean countsReads) {
    long written = merge.get(MergeFigures.BYTES_WRITTEN).orElse(0L);
    long charged = merge.get(MergeFigures.BYTES_CHARGED).orElse(written);
    return charged < written || charged > written && !countsReads
        ? List.of(
            new RunWarning(
                "the budget granted %d bytes while merges wrote %d".formatted(charged, written),
                "a small merge was just writing when the window of the large one ended",
                "none needed below %d bytes; report a larger difference"
                    .formatted(ByteBudget.MAX_GRANT_BYTES)))
        : List.of();
  }

  static void addNothingFound(List<RunWarning> warnings, Values hits) {
    long searches = hits.get(ArmFigures.SEARCHES).orElse(0L);
    long without = hits.get(ArmFigures.SEARCHES_WITHOUT_HITS).orElse(0L);
    if (2 * without > searches) {
      warnings.add(
          new RunWarning(
              "%d of %d searches found no document, and so had nothing to read"
                  .formatted(without, searches),
              "the queries are of another index, or their terms are not as this index has them",
              "queries drawn from this index: --queries terms or --queries mixed"));
    }
  }

  /** Warnings about dictionaries of ids that are held in memory. */
  static List<RunWarning> ofResidentKeys(Values arm) {
    List<RunWarning> warnings = new ArrayList<>();
    long overBound = arm.get(ArmFigures.RESIDENT_OVER_BOUND).orElse(0L);
    long faults = arm.get(ArmFigures.RESIDENT_FAULTS).orElse(0L);
    if (overBound > 0) {
      warnings.add(
          new RunWarning(
              "%d dictionaries of ids were not held in memory: the bound is %d bytes"
                  .formatted(overBound, arm.require(ArmFigures.RESIDENT_BOUND)),
              "the bound is a quarter of the arm's heap",
              "give the arm more with jvm-args=-Xmx..."));
    }
    if (faults > 0) {
      warnings.add(
          new RunWarning(
              faults + " dictionaries of ids were not held in memory after a fault",
              "they could not be read or understood",
              "report it with the log of the arm"));
    }
    return warnings;
  }

  private static RunWarning nothingMerged(String kind) {
    String what = "the large merge wrote nothing";
    return kind.equals("natural")
        ? new RunWarning(
            what,
            "the policy found nothing to merge, perhaps because earlier merges left nothing",
            "a shorter --warmup and --before, so that those fall into it, or --merge forced")
        : new RunWarning(
            what, "the index was one segment already", "index more documents with --doc-count");
  }

  private static void addBehind(List<RunWarning> warnings, OpenLoop loop) {
    for (Phase phase : Phase.MEASURED) {
      LatencySummary latency = loop.latency().summary(phase);
      if (latency.p50Millis() > ArmFigures.BEHIND_MILLIS) {
        warnings.add(
            new RunWarning(
                "%s fell behind %s the merge: half of them ended over %.0f ms after they were due"
                    .formatted(loop.rate().what(), phase.label(), latency.p50Millis()),
                cause(loop),
                remedy(loop)));
      }
    }
  }

  private static void addAbandoned(List<RunWarning> warnings, OpenLoop loop) {
    if (loop.abandoned() > 0) {
      warnings.add(
          new RunWarning(
              "%d %s had not begun %d s after the end; they count with their wait until then"
                  .formatted(loop.abandoned(), loop.rate().what(), Timeline.DRAIN_SECONDS),
              cause(loop),
              remedy(loop)));
    }
  }

  private static String cause(OpenLoop loop) {
    return "the machine cannot keep up with " + loop.rate();
  }

  private static String remedy(OpenLoop loop) {
    return "ask for a lower rate with " + loop.rate().option();
  }

  private static void addCriticalPauses(List<RunWarning> warnings, Values merge) {
    long pauses = merge.get(MergeFigures.PAUSES, MergeKind.CRITICAL).orElse(0L);
    if (pauses > 0) {
      warnings.add(
          new RunWarning(
              "merges that a reopen or a commit waited for were paused, %d times for %.3f s"
                  .formatted(
                      pauses, merge.require(MergeFigures.PAUSED_SECONDS_OF, MergeKind.CRITICAL)),
              "a fault of Weir's scheduler, which promises that this never happens",
              "no option prevents this; report it with run.json"));
    }
  }

  private static void addForgiven(List<RunWarning> warnings, long bytes) {
    if (bytes > 0) {
      warnings.add(
          new RunWarning(
              "merges wrote %d bytes above the cap".formatted(bytes),
              "merges that reopens or commits wait for are not paced, and alone wrote more than it",
              "raise the cap with --arm 'cap=...', or ask for fewer reopens or commits"));
    }
  }

  private static void addWriteback(List<RunWarning> warnings, String method, Values merge) {
    if (!method.equals("sync_file_range")) {
      warnings.add(
          new RunWarning(
              method.equals("none")
                  ? "writeback did nothing"
                  : "writeback was done by %s, for which merges wait longer".formatted(method),
              merge.require(MergeFigures.WRITEBACK_REASON),
              "a Linux file system on a disk, and Java 22 or later with jvm=PATH;"
                  + " or say so with writeback=off"));
    }
    long faults = merge.require(MergeFigures.WRITEBACK_FAULTS);
    if (faults > 0) {
      warnings.add(
          new RunWarning(
              "writeback failed for %d files, which were written on without it".formatted(faults),
              "a call to the kernel failed; what it said is in the arm's standard error",
              "a healthy disk, or writeback=off"));
    }
  }

  /** Warnings about a cap that was too low. */
  static List<RunWarning> ofCap(CapWatch.Trouble trouble) {
    List<RunWarning> warnings = new ArrayList<>();
    if (trouble.lifts() > 0) {
      warnings.add(
          new RunWarning(
              "the cap was lifted %s, so that updates need not wait for merges"
                  .formatted(trouble.lifts() == 1 ? "once" : trouble.lifts() + " times"),
              "merges had piled up: under the cap, new segments come faster than merges end",
              "raise the cap with --arm 'cap=...', or lower --updates-per-second"));
    }
    trouble.shortfall().map(ArmWarnings::tooLow).ifPresent(warnings::add);
    return warnings;
  }

  /** A warning where a latency goal was out of reach for a noticeable part of the time. */
  static List<RunWarning> ofGoal(GoalSnapshot goal) {
    long atFloor = goal.decisions().getOrDefault(GoalReason.MISSED_AT_FLOOR, 0L);
    long cuts = goal.decisions().getOrDefault(GoalReason.MISSED, 0L);
    return atFloor <= cuts
        ? List.of()
        : List.of(
            new RunWarning(
                "%s was missed %d times while merges wrote no more than the floor"
                    .formatted(goal.held().getFirst().target(), atFloor),
                "something else than merges makes operations late, or the limit is too low",
                "compare with an arm with merge=none, and look at the causes of slow reopens"));
  }

  /** A warning where the large merge was not done by its deadline. */
  static List<RunWarning> ofDeadline(Duration time, Values merge) {
    double seconds = time.toNanos() / 1e9;
    double took = merge.require(MergeFigures.SECONDS);
    return took <= seconds
        ? List.of()
        : List.of(
            new RunWarning(
                String.format(
                    Locale.ROOT,
                    "the forced merge took %.1f s, and its deadline was %.1f s",
                    took,
                    seconds),
                "the disk, the cap or a latency goal did not allow a higher rate",
                "a later deadline=..., or a higher cap=... if there is one"));
  }

  private static RunWarning tooLow(CapWatch.Shortfall shortfall) {
    return new RunWarning(
        "the cap of %s cannot keep up: in the long run merges must write %s"
            .formatted(rate(shortfall.capBytesPerSecond()), rate(shortfall.demandBytesPerSecond())),
        "updates come faster than their merges may be written",
        "a cap of at least %s with --arm 'cap=...', or a lower --updates-per-second"
            .formatted(rate(shortfall.enoughBytesPerSecond())));
  }

  private static String rate(double bytesPerSecond) {
    return bytesPerSecond >= 1e6
        ? String.format(Locale.ROOT, "%.1f MB/s", bytesPerSecond / 1e6)
        : String.format(Locale.ROOT, "%.1f kB/s", bytesPerSecond / 1e3);
  }
}
