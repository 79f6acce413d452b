package io.weir.stress;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process is bound to do; the limit only bounds a failure. */
public final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        fail("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
