/**
 * The merge scheduler and the merge tracker: ring 2, may use {@code store}, {@code lucene}, {@code
 * rate}, {@code time} and lucene-core.
 *
 * <p>Start at {@link io.weir.merge.RateLimitedMergeScheduler}, which receives Lucene's calls and
 * the settings. {@link io.weir.merge.MergeKind} is the purpose of a merge. {@link
 * io.weir.merge.MergeLifecycle} begins and ends each merge. {@link io.weir.merge.RunningMerge} is
 * one merge: the budgets it is charged to and how it waits ({@link
 * io.weir.merge.MergeWaitStrategy}); {@link io.weir.merge.WriterMerges} are all of them. {@link
 * io.weir.merge.MergeBudgets} holds the budgets. {@link io.weir.merge.MergeDirectory} and {@link
 * io.weir.merge.LuceneLimitedDirectory} stand between the merge and the files. {@link
 * io.weir.merge.MergeCleanup} settles a merge that has ended.
 *
 * <p>{@link io.weir.merge.MergeTracker} replaces the scheduler where that belongs to an engine: the
 * merges of its {@link io.weir.merge.TrackedMergePolicy} report to {@link
 * io.weir.merge.TrackedMerges}, which begins and ends them in the same way. {@link
 * io.weir.merge.MergeActivity} is what both can tell.
 *
 * <p>{@link io.weir.merge.MergeCancellations} and {@link io.weir.merge.PendingMerges} end merges
 * that have not begun, for a close or a cancellation. {@link io.weir.merge.SingleWriterGuard}
 * accepts one writer at a time, and {@link io.weir.merge.WriterClose} acts when it closes. {@link
 * io.weir.merge.BacklogMonitor} watches the backlog, with three pure decisions: {@link
 * io.weir.merge.CapLiftPolicy}, {@link io.weir.merge.MergeDebt} and {@link
 * io.weir.merge.KeepUpWarning}.
 */
package io.weir.merge;
