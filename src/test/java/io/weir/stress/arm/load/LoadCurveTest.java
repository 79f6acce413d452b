package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.setting.LoadRate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LoadCurveTest {

  private static final long SECOND = 1_000_000_000;

  /** Up to a day at any rate that a setting can have. */
  @Property
  void nanosUntil_isTheInverseOfOperationsBy(
      @ForAll @Size(min = 2, max = 6) List<@DoubleRange(max = 100_000) Double> levels,
      @ForAll @IntRange(min = 1, max = 3_600_000) int heldMillis,
      @ForAll @DoubleRange(max = 86_400) double seconds) {
    LoadRate rate = new LoadRate(levels, Optional.of(Duration.ofMillis(heldMillis)));
    Assume.that(rate.isAny());
    LoadCurve curve = new LoadCurve(rate, SECOND);
    double operations = curve.operationsBy(seconds * SECOND);
    Assume.that(operations > 0);

    double nanos = curve.nanosUntil(operations);

    assertEquals(operations, curve.operationsBy(nanos), 1e-12 * operations + 1e-9);
  }

  @Property
  void nanosUntil_moreOperations_areNotDueEarlier(
      @ForAll @Size(min = 2, max = 6) List<@IntRange(max = 1000) Integer> levels,
      @ForAll @IntRange(min = 1, max = 60_000) int heldMillis,
      @ForAll @IntRange(max = 1_000_000) int from) {
    LoadRate rate =
        new LoadRate(
            levels.stream().map(Integer::doubleValue).toList(),
            Optional.of(Duration.ofMillis(heldMillis)));
    Assume.that(rate.isAny());
    LoadCurve curve = new LoadCurve(rate, SECOND);
    long last = 0;
    for (int i = from; i < from + 1000; i++) {
      long due = Math.round(curve.nanosUntil(i / 3.0));
      assertTrue(due >= last, due + " after " + last);
      last = due;
    }
  }

  @Example
  void operationsBy_levelsInTurn_isTheirIntegral() {
    LoadCurve curve =
        new LoadCurve(
            new LoadRate(List.of(2.0, 0.0, 10.0), Optional.of(Duration.ofSeconds(4))), SECOND);

    assertEquals(0, curve.operationsBy(0));
    assertEquals(6, curve.operationsBy(3 * SECOND));
    assertEquals(8, curve.operationsBy(4 * SECOND));
    assertEquals(8, curve.operationsBy(8 * SECOND));
    assertEquals(13, curve.operationsBy(8.5 * SECOND));
    assertEquals(48, curve.operationsBy(12 * SECOND));
    assertEquals(49, curve.operationsBy(12.5 * SECOND));
  }

  @Example
  void nanosUntil_noOperations_isNever() {
    assertEquals(Double.POSITIVE_INFINITY, new LoadCurve(LoadRate.NONE, SECOND).nanosUntil(1));
  }
}
