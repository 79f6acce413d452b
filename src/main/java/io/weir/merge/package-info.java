/**
 * The merge scheduler and the merge tracker, which know each merge, charge it to a budget, and can
 * cancel it.
 *
 * <p>Ring 2: may use {@code store}, {@code lucene}, {@code rate}, {@code time} and lucene-core.
 *
 * <p>Start at {@link io.weir.merge.RateLimitedMergeScheduler}, which receives Lucene's calls and
 * the settings. {@link io.weir.merge.MergeTracker} replaces it where the scheduler belongs to an
 * engine: the merges of its policy report to {@link io.weir.merge.TrackedMerges}. Both stand on
 * {@link io.weir.merge.WriterMerges}: the merges of one writer, how each begins and ends, their
 * totals and listeners. {@link io.weir.merge.MergeActivity} is what both can tell.
 *
 * <p>{@link io.weir.merge.MergeKind} is the purpose of a merge. {@link io.weir.merge.RunningMerge}
 * is one merge: the budgets it is charged to and how it waits. {@link io.weir.merge.MergeBudgets}
 * holds the budgets, and {@link io.weir.merge.MergeCleanup} settles a merge that has ended.
 *
 * <p>{@link io.weir.merge.BacklogMonitor} watches the backlog, with pure decisions: when to lift
 * the cap, when to warn, and {@link io.weir.merge.MergeDebt}. {@link
 * io.weir.merge.MergeCancellations} ends merges, or their waiting, for a close or a cancellation.
 * {@link io.weir.merge.SingleWriterGuard} accepts one writer at a time.
 *
 * <p>Three words: the cap is <em>lifted</em> for all merges of a writer, by a backlog or by the
 * application, until it is restored. One merge is <em>released</em>, by a close or because it is
 * small, and does not wait until its end. A <em>debited</em> budget does not wait, for whatever
 * reason.
 */
package io.weir.merge;
