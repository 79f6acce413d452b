package io.weir.stress;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another thread or process is bound to do; the limit only bounds a failure. */
public final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, LIMIT, condition);
  }

  /** For what takes long by itself, such as a server that starts and an index that is filled. */
  public static void until(Supplier<String> what, Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        fail("not within " + limit.toSeconds() + " s: " + what.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
