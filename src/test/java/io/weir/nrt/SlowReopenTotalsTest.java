package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SlowReopenTotalsTest {

  private final SlowReopenTotals totals = new SlowReopenTotals();

  @Test
  void slowReopen_twoWithOneCauseInCommon_addsUpTimeAndNumberOfEachCause() {
    totals.slowReopen(slow(Map.of(ReopenCause.UNMAP, 30L, ReopenCause.CPU, 20L)));
    totals.slowReopen(slow(Map.of(ReopenCause.UNMAP, 5L)));
    assertEquals(2, totals.count());
    assertEquals(55, totals.totalNanos());
    assertEquals(Map.of(ReopenCause.UNMAP, 35L, ReopenCause.CPU, 20L), totals.causeNanos());
    assertEquals(Map.of(ReopenCause.UNMAP, 2L, ReopenCause.CPU, 1L), totals.causeReopens());
  }

  private static SlowReopen slow(Map<ReopenCause, Long> causeNanos) {
    long nanos = causeNanos.values().stream().mapToLong(Long::longValue).sum();
    Reopen reopen =
        new Reopen(
            ReopenResult.CHANGED,
            OptionalLong.empty(),
            1000,
            OptionalLong.empty(),
            1000 + nanos,
            Map.of());
    return new SlowReopen(reopen, causeNanos, List.of(), 1, 1, List.of());
  }
}
