package io.weir.stress.result;

import java.util.Optional;

/**
 * The large merge of one arm, from the call that requested it until that call returned.
 *
 * <p>Bytes are those of every merge that wrote in this window, small natural merges included,
 * because the cap covers all of them.
 *
 * @param kind {@code forced}, {@code natural} or {@code none}
 * @param seconds how long the window was
 * @param ended false when the arm ended before the merge did, so that the window is a part of it
 * @param reads what merges read from storage; empty where the kernel does not report it
 * @param bytesWritten merge bytes that reached the lowest directory, counted by segment name; on an
 *     engine as Weir's plug-in counts them, and empty without it
 * @param bytesCharged bytes that the budget granted, on an engine to merges of all indexes; empty
 *     with {@code preset=stock}
 * @param pausedSeconds time that threads waited for a grant, summed over threads; empty likewise
 * @param pauses the same by kind of merge, as Weir's scheduler counts it; empty likewise
 * @param capLifts how often the scheduler lifted the cap because merges had piled up; empty
 *     likewise
 * @param bytesForgiven bytes above the cap: what critical merges wrote beyond the debt that other
 *     merges repay; empty likewise
 * @param writeback how the output of merges reached the disk; empty with {@code writeback=off}
 * @param deadline how its deadline came out; empty when it had none, or was interrupted
 */
public record MergeResult(
    String kind,
    double seconds,
    boolean ended,
    Optional<MergeReadResult> reads,
    Optional<Long> bytesWritten,
    Optional<Long> bytesCharged,
    Optional<Double> pausedSeconds,
    Optional<MergePauses> pauses,
    Optional<Long> capLifts,
    Optional<Long> bytesForgiven,
    Optional<MergeWriteback> writeback,
    Optional<DeadlineResult> deadline) {

  /** A merge of which only the time is known. */
  public static MergeResult seenFromOutside(String kind, double seconds, boolean ended) {
    return new MergeResult(
        kind,
        seconds,
        ended,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same, with how its deadline came out. */
  public MergeResult withDeadline(DeadlineResult newDeadline) {
    return new MergeResult(
        kind,
        seconds,
        ended,
        reads,
        bytesWritten,
        bytesCharged,
        pausedSeconds,
        pauses,
        capLifts,
        bytesForgiven,
        writeback,
        Optional.of(newDeadline));
  }
}
