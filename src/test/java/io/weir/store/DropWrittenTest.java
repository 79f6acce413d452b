package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class DropWrittenTest {

  private static final long CACHE = 1000;

  @Test
  void drops_large_isAboutHalfOfThePageCache() {
    assertFalse(DropWritten.LARGE.drops(writing(500), () -> CACHE));
    assertTrue(DropWritten.LARGE.drops(writing(501), () -> CACHE));
    assertTrue(DropWritten.LARGE.drops(writing(1), () -> 0), "a heap that is all of the memory");
  }

  @Test
  void drops_large_ofNoMergeOrOnAnUnknownMachine_isNever() {
    assertFalse(DropWritten.LARGE.drops(OptionalLong.empty(), () -> CACHE));
    assertFalse(DropWritten.LARGE.drops(writing(Long.MAX_VALUE), () -> -1));
  }

  /** A merge must not fail for it. */
  @Test
  void drops_whereTheMachineMayNotBeAsked_isAsOnAnUnknownOne() {
    LongSupplier denied =
        () -> {
          throw new RuntimeException("not entitled");
        };
    LongSupplier missing =
        () -> {
          throw new NoClassDefFoundError("com/sun/management/OperatingSystemMXBean");
        };
    for (LongSupplier cache : List.of(denied, missing)) {
      assertFalse(DropWritten.LARGE.drops(writing(Long.MAX_VALUE), cache));
      assertFalse(DropWritten.NEVER.drops(writing(Long.MAX_VALUE), cache));
      assertTrue(DropWritten.ALWAYS.drops(OptionalLong.empty(), cache));
    }
  }

  @Test
  void drops_neverAndAlways_askForNothing() {
    assertFalse(DropWritten.NEVER.drops(writing(Long.MAX_VALUE)));
    assertTrue(DropWritten.ALWAYS.drops(OptionalLong.empty()));
  }

  /** On this machine, whatever it has. */
  @Test
  void drops_large_takesTheMemoryOfThisMachineLessTheHeap() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cacheBytes = Math.max(0, system.getTotalMemorySize() - Runtime.getRuntime().maxMemory());

    assertFalse(DropWritten.LARGE.drops(writing(cacheBytes / 2)));
    assertTrue(DropWritten.LARGE.drops(writing(cacheBytes / 2 + 1)));
  }

  private static OptionalLong writing(long bytes) {
    return OptionalLong.of(bytes);
  }
}
