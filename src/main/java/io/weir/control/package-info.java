/**
 * Other ways to set the cap than by hand: a latency goal, a deadline, hours, a shared cap, a budget
 * for each disk; and merges that yield to readers.
 *
 * <p>Ring 2: may use {@code merge}, {@code nrt}, {@code rate}, {@code procfs} and {@code time}.
 *
 * <p>{@link io.weir.control.LatencyGoal} sets the rate of a budget so that latencies stay within
 * their limits: {@link io.weir.control.Latencies} collects them, {@code GoalPolicy} decides, with
 * the {@code Evidence} of each latency and the {@code KeepUpFloor} that indexing needs, and {@code
 * HeldRate} sets the rate and gives it back.
 *
 * <p>{@link io.weir.control.MergeDeadline} paces forced merges so that they finish by a deadline:
 * {@code DeadlinePolicy} decides.
 *
 * <p>Whose disk it is: {@link io.weir.control.SharedCap} divides one cap among processes, which say
 * what they want in a {@code ShareFile}; each takes its {@code FairShares} by a {@code ShareSeat}.
 * {@link io.weir.control.DiskBudgets} has a budget for each disk, {@link
 * io.weir.control.ScheduledRate} sets a rate by the hour, and {@link
 * io.weir.control.ThreadReadMeter} counts what merges read.
 *
 * <p>{@link io.weir.control.ReadersFirst} makes merges yield while readers wait for the disk. All
 * of a process share one watch of its pressure and, under pressure, of what others than merges
 * read.
 */
package io.weir.control;
