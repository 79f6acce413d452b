package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.model.Samples;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WindowsTest {
  private static final long TENTH_NANOS = 100_000_000;

  @Test
  void perSecond_steadyCounter_isTheSameRateInEveryWindow() {
    Windows windows = new Windows(samples(0, 5, 10, 15, 20, 25, 30, 35), 300_000_000);
    assertEquals(3, windows.size(), "0, 0.3 and the rest, which is no window of its own");
    assertEquals(OptionalDouble.empty(), windows.perSecond("c", 0));
    assertEquals(50.0, windows.perSecond("c", 1).orElseThrow(), 1e-9);
    assertEquals(50.0, windows.perSecond("c", 2).orElseThrow(), 1e-9);
    assertEquals(0.7, windows.endSeconds(2), 1e-9);
  }

  @Test
  void perSecond_missingOrShrinkingCounter_isAbsentNeverZero() {
    Windows windows = new Windows(samples(10, null, 4, 3), 0);
    for (int window = 0; window < 4; window++) {
      assertEquals(OptionalDouble.empty(), windows.perSecond("c", window));
    }
    assertEquals(OptionalLong.empty(), windows.largest("c", 1));
    assertEquals(OptionalLong.empty(), windows.largest("no such column", 0));
  }

  @Test
  void windows_noSamples_areNone() {
    assertEquals(0, new Windows(new Samples(), 0).size());
  }

  @Property
  void largest_overAllWindows_isTheLargestOfAllSamples(
      @ForAll @Size(min = 1, max = 200) Integer[] values,
      @ForAll @LongRange(min = 0, max = 5_000_000_000L) long widthNanos) {
    Windows windows = new Windows(samples(values), widthNanos);
    OptionalLong largest = OptionalLong.empty();
    for (int window = 0; window < windows.size(); window++) {
      OptionalLong one = windows.largest("c", window);
      if (one.isPresent() && one.getAsLong() > largest.orElse(Long.MIN_VALUE)) {
        largest = one;
      }
    }
    long expected = Long.MIN_VALUE;
    for (Integer value : values) {
      expected = Math.max(expected, value == null ? Long.MIN_VALUE : value);
    }
    assertEquals(expected, largest.orElse(Long.MIN_VALUE));
  }

  @Property
  void growth_overAllWindows_isTheGrowthOfTheWholeArm(
      @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 0, max = 1000) Integer> steps,
      @ForAll @LongRange(min = 0, max = 5_000_000_000L) long widthNanos) {
    Integer[] counter = new Integer[steps.size()];
    int sum = 0;
    for (int i = 0; i < steps.size(); i++) {
      sum += steps.get(i);
      counter[i] = sum;
    }
    Windows windows = new Windows(samples(counter), widthNanos);
    long grown = 0;
    for (int window = 1; window < windows.size(); window++) {
      grown += windows.growth("c", window).orElseThrow();
    }
    assertEquals(sum - steps.get(0), grown);
    assertTrue(windows.growth("c", 0).isEmpty());
  }

  /** One sample every tenth of a second. */
  private static Samples samples(Integer... values) {
    Samples samples = new Samples();
    for (int i = 0; i < values.length; i++) {
      Map<String, Long> cells = new HashMap<>();
      if (values[i] != null) {
        cells.put("c", values[i].longValue());
      }
      samples.add(i * TENTH_NANOS, "during", cells);
    }
    return samples;
  }
}
