package io.weir.nrt;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * How a {@link DeferredClose} works.
 *
 * @param capacity how many old readers may wait, each with its files open: from 1 to 1024. One more
 *     is closed by the thread that brings it
 * @param closeTimeout how long {@link DeferredClose#close} waits for a release on another thread:
 *     from 0 to 1 hour
 * @param executor what runs the releases; empty means a daemon thread of its own, which ends when
 *     it has nothing to do. One that is given is never shut down by Weir
 */
public record DeferredCloseOptions(
    int capacity, Duration closeTimeout, Optional<Executor> executor) {

  /** The largest capacity. */
  public static final int MAX_CAPACITY = 1024;

  private static final Duration MAX_CLOSE_TIMEOUT = Duration.ofHours(1);

  /** Refuses values out of range. */
  public DeferredCloseOptions {
    Objects.requireNonNull(executor, "executor");
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity must be from 1 to " + MAX_CAPACITY + " readers: " + capacity);
    }
    if (closeTimeout.isNegative() || closeTimeout.compareTo(MAX_CLOSE_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "closeTimeout must be from 0 to "
              + MAX_CLOSE_TIMEOUT.toSeconds()
              + " s: "
              + closeTimeout);
    }
  }

  /** Sixteen readers, ten seconds, a daemon thread. */
  public static DeferredCloseOptions defaults() {
    return new DeferredCloseOptions(16, Duration.ofSeconds(10), Optional.empty());
  }

  /** These, with another capacity. */
  public DeferredCloseOptions withCapacity(int newCapacity) {
    return new DeferredCloseOptions(newCapacity, closeTimeout, executor);
  }

  /** These, with another time to wait at the end. */
  public DeferredCloseOptions withCloseTimeout(Duration newCloseTimeout) {
    return new DeferredCloseOptions(capacity, newCloseTimeout, executor);
  }

  /** These, with releases run by {@code newExecutor}. */
  public DeferredCloseOptions withExecutor(Executor newExecutor) {
    return new DeferredCloseOptions(capacity, closeTimeout, Optional.of(newExecutor));
  }
}
