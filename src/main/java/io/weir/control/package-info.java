/**
 * Controllers of merges: ring 2, may use {@code merge}, {@code nrt}, {@code rate}, {@code procfs}
 * and {@code time}.
 *
 * <p>{@link io.weir.control.LatencyGoal} sets the rate of a budget so that latencies stay within
 * their limits: {@link io.weir.control.Latencies} collects them, {@code GoalPolicy} decides, with
 * the {@code Evidence} of each latency and the {@code KeepUpFloor} that indexing needs.
 *
 * <p>{@link io.weir.control.MergeDeadline} paces forced merges so that they finish by a deadline:
 * {@code DeadlinePolicy} decides.
 *
 * <p>{@link io.weir.control.OperationsCap} keeps the operations per second on a disk at a limit:
 * {@code OperationsPolicy} decides, on what an {@code OperationsCounter} reads. It and a latency
 * goal have their budget by a {@code HeldRate}: one controller for each rate, which gives it back.
 *
 * <p>Whose disk it is: {@link io.weir.control.SharedCap} divides one cap among processes, which say
 * what they want in a {@code ShareFile}; each takes its {@code FairShares} by a {@code ShareSeat}.
 * {@link io.weir.control.DiskBudgets} has a budget for each disk, {@link
 * io.weir.control.ScheduledRate} sets a rate by the hour, and {@link
 * io.weir.control.ThreadReadMeter} counts what merges read.
 *
 * <p>{@link io.weir.control.ReadersFirst} makes merges yield while readers wait for the disk. All
 * of a process share one {@link io.weir.control.ReaderWatch}, which reads {@link
 * io.weir.control.DiskPressure} and, under pressure, {@link io.weir.control.ForegroundReads}.
 */
package io.weir.control;
