package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.merge.MergeDebtSnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CapWatchTest {

  private final CapWatch watch = new CapWatch();

  @Test
  void trouble_nothingSaid_isNone() {
    assertEquals(CapWatch.Trouble.NONE, watch.trouble());
  }

  @Test
  void capLifted_isCounted() {
    watch.capLifted("5 merges run");
    watch.capRestored();
    watch.capLifted("6 merges run");

    assertEquals(new CapWatch.Trouble(2, Optional.empty()), watch.trouble());
  }

  @Test
  void cannotKeepUp_severalTimes_keepsTheWorst() {
    watch.cannotKeepUp(debt(2_000));
    watch.cannotKeepUp(debt(5_000));
    watch.cannotKeepUp(debt(3_000));

    assertEquals(
        new CapWatch.Trouble(0, Optional.of(new CapWatch.Shortfall(1_000, 5_000, 5_500))),
        watch.trouble());
  }

  private static MergeDebtSnapshot debt(double demandBytesPerSecond) {
    return new MergeDebtSnapshot(
        demandBytesPerSecond / 4,
        OptionalDouble.of(4),
        demandBytesPerSecond,
        OptionalLong.of(1_000),
        7_000,
        3,
        OptionalInt.of(6),
        Optional.empty(),
        Duration.ofSeconds(100));
  }
}
