package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.report.chart.Axis.Tick;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AxisTest {

  @Test
  void share_ofALogarithmicScale_isByTheLogarithm_andNeverOutside() {
    Axis axis = log(1, 100);
    assertEquals(0, axis.share(0.5));
    assertEquals(0, axis.share(0), "no place of its own");
    assertEquals(0.5, axis.share(10), 1e-9);
    assertEquals(1, axis.share(1000));
  }

  @Test
  void share_ofNamedRows_canGoDown() {
    Axis rows = Axis.named("", 10, 0, List.of());
    assertEquals(0.95, rows.share(0.5), 1e-9, "the first row is at the top");
    assertEquals(0.05, rows.share(9.5), 1e-9);
  }

  @Test
  void around_logarithmic_beginsAndEndsAtRoundValuesWithRoomBesideAll() {
    assertEnds(2, 100, List.of(3.2, 64.0));
    assertEnds(5, 20, List.of(7.0));
    assertEnds(0.5, 2000, List.of(1.0, 1000.0));
    assertEnds(0.5, 2, List.of());
    assertEnds(0.001, 0.005, List.of(0.0, 0.0005), "no lower than its bound");
    assertEnds(10, 1000, List.of(0.0, 20.0, 500.0), "0 is drawn at its beginning");
  }

  private static void assertEnds(double low, double high, List<Double> values, String... why) {
    Axis axis = Axis.log("ms").around(values);
    assertEquals(low, axis.low(), low / 1e6, List.of(why).toString());
    assertEquals(high, axis.high(), high / 1e6, List.of(why).toString());
  }

  @Test
  void around_linear_isFrom0ToSomewhatMoreOrToItsBound() {
    assertEquals(0, Axis.linear("MB", 0).around(List.of(41.0)).low());
    assertEquals(45, Axis.linear("MB", 0).around(List.of(41.0)).high());
    assertEquals(100, Axis.linear("%", 100).around(List.of(41.0)).high());
    assertEquals(1, Axis.linear("MB", 0).around(List.of()).high());
    assertEquals(4.5e-5, Axis.linear("s", 0).around(List.of(4.3e-5)).high(), 1e-9);
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
    assertEquals(
        List.of("0", "20", "40", "60", "80"),
        Axis.seconds(0, 88).ticks().stream().map(Tick::label).toList());
  }

  private static List<Double> ticks(double low, double high) {
    return log(low, high).ticks().stream().map(Tick::value).toList();
  }

  private static Axis log(double low, double high) {
    return new Axis("ms", Axis.Scale.LOG, 0, 1, low, high, List.of());
  }
}
