package io.weir.stress.result;

/**
 * The large merge of one arm: the window from the call that asked for it until it returned.
 *
 * <p>Bytes are those of every merge that wrote in this window, the small natural ones included,
 * because the cap is over all of them.
 *
 * @param kind {@code forced}, {@code natural} or {@code none}
 * @param seconds how long the window was
 * @param reads what merges fetched from storage in it; null where the kernel does not tell, and in
 *     runs of before it was asked
 * @param bytesWritten merge bytes that reached the directory below, counted there by segment name
 * @param bytesCharged bytes the budget granted; null when nothing of Weir's was in the path
 * @param pausedSeconds time threads waited for a grant, added over threads; null likewise
 * @param pauses the same by kind of merge, as Weir's scheduler counts it; null without it, and in
 *     runs of before it was there
 * @param capLifts how often the scheduler lifted the cap because merges had piled up; null likewise
 * @param bytesForgiven bytes that passed above the cap: what critical merges wrote beyond the debt
 *     that others pay back; null as bytesCharged
 * @param writeback how what merges wrote was brought to disk meanwhile; null with {@code
 *     writeback=off}, and in runs of before it was there
 */
public record MergeResult(
    String kind,
    double seconds,
    MergeReadResult reads,
    long bytesWritten,
    Long bytesCharged,
    Double pausedSeconds,
    MergePauses pauses,
    Long capLifts,
    Long bytesForgiven,
    MergeWriteback writeback) {}
