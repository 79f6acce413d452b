/**
 * The clock and the art of waiting: ring 0, needs only the JDK.
 *
 * <p>{@link io.weir.time.NanoClock} is the only way Weir reads a monotonic clock or parks a thread.
 * Everything that paces or measures takes one, so that tests can move time by hand and assert to
 * the exact nanosecond. A tidy test holds that no other package calls {@code System.nanoTime} or
 * parks.
 */
package io.weir.time;
