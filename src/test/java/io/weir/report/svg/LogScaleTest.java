package io.weir.report.svg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogScaleTest {

  @Test
  void at_isByTheLogarithm_andNeverOutside() {
    LogScale scale = new LogScale(1, 100, 0, 200);
    assertEquals(0, scale.at(0.5));
    assertEquals(0, scale.at(0), "no place of its own");
    assertEquals(100, scale.at(10), 1e-9);
    assertEquals(200, scale.at(1000));
    assertEquals(25, new LogScale(1, 100, 50, 0).at(10), 1e-9, "the other way round");
  }

  @Test
  void round_beginsAndEndsAtRoundValues_andIsADecadeAtLeast() {
    assertEquals(new LogScale(2, 100, 0, 1), LogScale.round(3.2, 64, 0, 1));
    assertEquals(new LogScale(5, 50, 0, 1), LogScale.round(7, 7, 0, 1));
    assertEquals(new LogScale(1, 1000, 0, 1), LogScale.round(1, 1000, 0, 1), "as they are");
    assertEquals(new LogScale(0.001, 0.01, 0, 1), LogScale.round(0, 0, 0, 1));
    assertEquals(new LogScale(0.02, 2000, 0, 1), LogScale.round(0.03, 1001, 0, 1));
  }

  @Test
  void around_leavesRoomOnBothSides() {
    assertEquals(new LogScale(8, 125, 0, 1), LogScale.around(List.of(100.0, 10.0), 0, 1));
    assertEquals(new LogScale(8, 16, 0, 1), LogScale.around(List.of(10.0), 0, 1));
    assertEquals(0.0008, LogScale.around(List.of(0.0), 0, 1).low(), 1e-12);
    assertEquals(new LogScale(0.8, 1.6, 0, 1), LogScale.around(List.of(), 0, 1), "of nothing");
  }

  @Test
  void ticks_areAsManyAsCanBeRead() {
    assertEquals(List.of(3.0, 4.0, 5.0), ticks(2.5, 5.5));
    assertEquals(List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), ticks(1, 100));
    assertEquals(List.of(2.0, 5.0, 10.0, 20.0, 50.0, 100.0), ticks(2, 100));
    assertEquals(List.of(1.0, 10.0, 100.0, 1000.0), ticks(1, 5000));
    // Both ends are among them, whatever a power of ten is in binary.
    IntStream.range(-3, 6)
        .mapToDouble(power -> Math.pow(10, power))
        .forEach(
            decade -> {
              List<Double> ticks = ticks(decade, 100 * decade);
              assertEquals(7, ticks.size(), ticks::toString);
            });
  }

  private static List<Double> ticks(double low, double high) {
    return new LogScale(low, high, 0, 1).ticks();
  }
}
