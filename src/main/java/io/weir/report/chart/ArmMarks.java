package io.weir.report.chart;

import io.weir.run.Run;
import java.util.List;

/**
 * The colour and the shape of each arm in a chart that arms share. They are the same in every chart
 * of a page; the shape alone suffices. The colours are those of {@code colours.css}. From the ninth
 * arm on the shapes are hollow.
 */
public final class ArmMarks {

  private static final List<String> SHAPES =
      List.of(
          "M4.2 0a4.2 4.2 0 1 1-8.4 0a4.2 4.2 0 1 1 8.4 0z",
          "M-3.8-3.8h7.6v7.6h-7.6z",
          "M0-5L4.8 3.6H-4.8z",
          "M0-5.4L5 0L0 5.4L-5 0z",
          "M0 5L4.8-3.6H-4.8z",
          "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
          "M-4.8-2.6L-2.6-4.8L0-2.2L2.6-4.8L4.8-2.6L2.2 0L4.8 2.6L2.6 4.8L0 2.2L-2.6 4.8L-4.8"
              + " 2.6L-2.2 0z",
          "M-5.2-2h10.4v4h-10.4z");

  private final List<String> names;
  private final String colours;

  public ArmMarks(Run run) {
    this(run.names());
  }

  /** Marks for these names, in this order, each once. */
  public ArmMarks(List<String> names) {
    this(names, "arm-");
  }

  private ArmMarks(List<String> names, String colours) {
    this.names = List.copyOf(names);
    this.colours = colours;
  }

  /** Marks for the parts of one arm, such as its loads, in colours that no arm has there. */
  public static ArmMarks ofParts(List<String> names) {
    return new ArmMarks(names, "part-");
  }

  /** The arms of the run, each once. */
  public List<String> names() {
    return names;
  }

  /** The colour of {@code arm}. */
  public String colour(String arm) {
    return colours + (names.indexOf(arm) % SHAPES.size() + 1);
  }

  /** Its shape. */
  public Chart.Shape shape(String arm) {
    int index = names.indexOf(arm);
    return new Chart.Shape(SHAPES.get(index % SHAPES.size()), index / SHAPES.size() % 2 == 1);
  }

  /** A series of {@code arm}, in its colour and with its shape. */
  public Chart.Series series(String arm, Chart.Form form, List<Double> x, List<Double> y) {
    return Chart.Series.of(arm, arm, colour(arm), form, x, y).shaped(shape(arm));
  }
}
