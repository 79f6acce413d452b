/**
 * The clock, the threads and the log of Weir.
 *
 * <p>Ring 0: needs only the JDK. {@link io.weir.time.NanoClock} is the only way Weir reads a
 * monotonic clock or parks a thread. All code that paces or measures takes a clock as a parameter,
 * so that tests can move time by hand and assert exact nanoseconds. A test ensures that no other
 * package calls {@code System.nanoTime} or parks.
 *
 * <p>{@link io.weir.time.DaemonThreads} makes the threads of Weir, which inherit nothing. {@link
 * io.weir.time.Listeners} calls the code of others, and {@link io.weir.time.OnceLog} the log: what
 * either throws stops there.
 */
package io.weir.time;
