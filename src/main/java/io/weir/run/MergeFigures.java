package io.weir.run;

import static io.weir.figure.Figure.Kind.LEVEL;

import io.weir.figure.Figure;
import io.weir.figure.FigureBy;
import io.weir.figure.FigureSet;
import io.weir.figure.Unit;
import io.weir.merge.MergeKind;
import java.util.EnumSet;

/**
 * The figures of the large merge of an arm, from the call that requested it until that call
 * returned. Bytes are those of every merge that wrote in this window, small natural merges
 * included, because the cap covers all of them. None has a value when the arm ended before the
 * merge.
 */
public final class MergeFigures {

  static final FigureSet ALL = new FigureSet();

  /** With {@code none}, time passed without a merge. */
  public static final Figure<String> KIND =
      ALL.words("merge.kind", "the large merge: `forced`, `natural` or `none`");

  /** How long the window was. */
  public static final Figure<Double> SECONDS =
      ALL.seconds("merge.seconds", "how long the large merge took");

  /** False when the window is a part of the merge. */
  public static final Figure<Boolean> ENDED =
      ALL.flag("merge.ended", "whether the merge ended before the arm did");

  /** Absent where the kernel does not report it. */
  public static final Figure<Long> READ_BYTES =
      ALL.bytes("merge.reads.bytes", "what merges fetched from storage, page faults included");

  /** By a sample. */
  public static final Figure<Long> VERIFY_BYTES =
      ALL.bytes("merge.reads.verifyBytes", "the part of that which verified the input, by samples");

  /** By a sample, added over merges. */
  public static final Figure<Double> VERIFY_SECONDS =
      ALL.seconds("merge.reads.verifySeconds", "how long merges verified, by samples");

  /**
   * What reached the lowest directory, by the names of segments; on an engine as Weir's plug-in
   * counts, and absent without it.
   */
  public static final Figure<Long> BYTES_WRITTEN =
      ALL.bytes("merge.bytesWritten", "what all merges wrote in that window");

  /** On an engine to merges of all indexes; absent with {@code preset=stock}. */
  public static final Figure<Long> BYTES_CHARGED =
      ALL.bytes("merge.bytesCharged", "what the budget granted to them");

  /** Summed over threads; likewise. */
  public static final Figure<Double> PAUSED_SECONDS =
      ALL.seconds("merge.pausedSeconds", "how long threads waited for a grant");

  /** How many ran, wholly or in part; absent with {@code preset=stock}, as the three below. */
  public static final FigureBy<MergeKind, Long> MERGES =
      FigureBy.of(
          EnumSet.allOf(MergeKind.class),
          "merge.pauses.*.merges",
          id -> ALL.count(id, "merges of that kind that ran, wholly or in part"));

  /** Waits for the cap, and yields to readers. */
  public static final FigureBy<MergeKind, Long> PAUSES =
      FigureBy.of(
          EnumSet.allOf(MergeKind.class),
          "merge.pauses.*.pauses",
          id -> ALL.count(id, "their waits for the cap, and yields to readers"));

  /** Added over threads. */
  public static final FigureBy<MergeKind, Double> PAUSED_SECONDS_OF =
      FigureBy.of(
          EnumSet.allOf(MergeKind.class),
          "merge.pauses.*.pausedSeconds",
          id -> ALL.seconds(id, "how long those were, added over threads"));

  /** What they wrote. */
  public static final FigureBy<MergeKind, Long> BYTES_OF =
      FigureBy.of(
          EnumSet.allOf(MergeKind.class),
          "merge.pauses.*.bytes",
          id -> ALL.bytes(id, "what they wrote"));

  /** Absent with {@code preset=stock}. */
  public static final Figure<Long> CAP_LIFTS =
      ALL.count("merge.capLifts", "how often the cap was lifted because merges had piled up");

  /** Beyond the debt that other merges repay; likewise. */
  public static final Figure<Long> BYTES_FORGIVEN =
      ALL.bytes("merge.bytesForgiven", "what critical merges wrote above the cap for good");

  /** Absent with {@code writeback=off}, as those below. */
  public static final Figure<String> WRITEBACK_METHOD =
      ALL.words(
          "merge.writeback.method",
          "how merge output reached the disk: `sync_file_range`, `fdatasync` or `none`");

  /** Why it was that one. */
  public static final Figure<String> WRITEBACK_REASON =
      ALL.words("merge.writeback.reason", "why it was that one");

  /** How many were started. */
  public static final Figure<Long> WRITEBACK_RANGES =
      ALL.count("merge.writeback.ranges", "ranges whose write was started");

  /** In them. */
  public static final Figure<Long> WRITEBACK_BYTES =
      ALL.bytes("merge.writeback.bytes", "bytes in them");

  /** Added over threads. */
  public static final Figure<Double> WRITEBACK_WAITED =
      ALL.seconds("merge.writeback.waitedSeconds", "time that merge threads spent on it");

  /** Files that were written on without. */
  public static final Figure<Long> WRITEBACK_FAULTS =
      ALL.count("merge.writeback.faults", "files on which a call failed");

  /** Absent when it had no deadline, or was interrupted. */
  public static final Figure<Double> DEADLINE =
      ALL.seconds("merge.deadline.seconds", "the time that the merge had");

  /** Negative when it ended later. */
  public static final Figure<Double> DEADLINE_SPARE =
      ALL.add(
          "merge.deadline.spareSeconds",
          Double.class,
          Unit.SECONDS,
          LEVEL,
          "how long before its deadline it ended; negative after it");

  /** After a third of the merge's time; absent when nothing was predicted then. */
  public static final Figure<Double> DEADLINE_PREDICTED =
      ALL.level(
          "merge.deadline.afterThird.predictedSeconds",
          Unit.SECONDS,
          "how long the merge would still take, as predicted after a third of it");

  /** The same as it was. */
  public static final Figure<Double> DEADLINE_ACTUAL =
      ALL.level("merge.deadline.afterThird.actualSeconds", Unit.SECONDS, "how long it still took");

  /** Never negative. */
  public static final Figure<Double> DEADLINE_OFF =
      ALL.level(
          "merge.deadline.afterThird.offPercent",
          Unit.PERCENT,
          "the difference, of what it still took");

  private MergeFigures() {}

  /** Whether a large merge ran; with {@code merge=none} time passed without one. */
  public static boolean isMerged(Part arm) {
    return arm.get(KIND).filter(kind -> !kind.equals("none")).isPresent();
  }

  /** Whether one ran to its end. */
  public static boolean isWhole(Part arm) {
    return isMerged(arm) && arm.require(ENDED);
  }
}
