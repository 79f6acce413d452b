package io.weir.report.svg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Band;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SvgPainterTest {

  private static final List<Double> X = List.of(0.0, 1.0, 2.0, 3.0, 4.0);
  private static final List<Double> Y = List.of(0.0, 100.0, Double.NaN, 50.0, 50.0);

  private static String painted(Series... series) {
    return SvgPainter.inPage(
        "words",
        List.of(
            new Chart(
                "one",
                "A title",
                "",
                100,
                Axis.seconds(0, 4),
                Axis.named("MB", 0, 100, List.of()),
                Optional.empty(),
                List.of(series),
                List.of(Band.shaded(1, 3, "the <merge>")),
                List.of())));
  }

  private static Series series(Form form) {
    return Series.of("s", "s", "blue", form, X, Y);
  }

  @Test
  void curve_hasAGapWhereThereIsNoValue() {
    assertTrue(
        painted(series(Form.LINE))
            .contains("class=\"line\" d=\"M0.0 100.0L250.0 0.0M750.0 50.0L1000.0 50.0\""),
        painted(series(Form.LINE)));
  }

  @Test
  void area_isClosedAtTheBottomBeforeAndAfterAGap() {
    assertTrue(
        painted(series(Form.AREA))
            .contains(
                "d=\"M0.0 100.0L0.0 100.0L250.0 0.0V100zM750.0 100.0L750.0 50.0L1000.0 50.0V100z\""),
        painted(series(Form.AREA)));
  }

  @Test
  void dotsAndBars_areAStrokeForEachValue() {
    assertEquals(4, count("M[0-9.]+ [0-9.]+h0", painted(series(Form.DOT))));
    assertEquals(4, count("M[0-9.]+ [0-9.]+V100", painted(series(Form.BAR))));
  }

  /** The legend had a diamond where the picture had squares. */
  @Test
  void squares_areSquaresInTheLegendToo() {
    assertEquals(4, count("M[0-9.]+ [0-9.]+h0", painted(series(Form.SQUARE))));
    assertTrue(painted(series(Form.SQUARE)).contains("class=\"square\""));
    assertTrue(SvgPainter.mark(series(Form.SQUARE)).contains("d=\"M-4-4h8v8h-8z\""));
  }

  @Test
  void shapes_areThoseOfTheArm_inItsColour() {
    ArmMarks marks = new ArmMarks(List.of("a", "b"));
    String picture = painted(marks.series("b", Form.SHAPE, X, Y));

    assertEquals(4, count(Pattern.quote(marks.shape("b").path()), picture));
    assertTrue(picture.contains("<g color=\"var(--arm-2)\">"), picture);
  }

  @Test
  void words_ofOthers_stayText() {
    assertTrue(painted(series(Form.LINE)).contains(">the &lt;merge&gt;</text>"));
  }

  @Test
  void chart_withoutValues_saysSo() {
    String picture = painted(Series.of("s", "s", "blue", Form.LINE, List.of(), List.of()));

    assertTrue(picture.contains(">not measured</text>"), picture);
    assertEquals(0, count("<path", picture));
  }

  private static long count(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().count();
  }
}
