/**
 * The merge scheduler: ring 2, may use {@code store}, {@code rate}, {@code time} and lucene-core.
 *
 * <p>Start at {@link io.weir.merge.RateLimitedMergeScheduler}, which only catches Lucene's calls.
 * {@link io.weir.merge.MergeKind} says what a merge is for. A merge's life is kept by {@link
 * io.weir.merge.MergeLifecycle}: {@link io.weir.merge.RunningMerge} is one merge, what it pays from and
 * how it waits ({@link io.weir.merge.MergeWaitStrategy}); {@link io.weir.merge.MergeBudgets} holds
 * the budgets; {@link io.weir.merge.MergeDirectory} and {@link
 * io.weir.merge.LuceneLimitedDirectory} stand between the merge and the files; {@link
 * io.weir.merge.MergeCleanup} tidies up.
 *
 * <p>{@link io.weir.merge.MergeCancellations} and {@link io.weir.merge.PendingMerges} end merges
 * that have not begun, for a close or a cancellation; {@link io.weir.merge.SingleWriterGuard} lets in
 * one writer at a time. {@link io.weir.merge.BacklogMonitor} looks at the backlog, with three pure
 * decisions: {@link io.weir.merge.CapLiftPolicy}, {@link io.weir.merge.MergeDebt} and {@link
 * io.weir.merge.KeepUpWarning}.
 */
package io.weir.merge;
