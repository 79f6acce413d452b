package io.weir.report.html;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.Panel;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.TimePicture;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;

/** The picture below the answer: the arms side by side over time, or the caps of a sweep. */
final class PictureSection {

  private PictureSection() {}

  /**
   * The caps of a sweep; empty when none was measured.
   *
   * @param caps their picture and their table
   */
  static String caps(String caps) {
    return caps.isEmpty()
        ? ""
        : """
        <section aria-labelledby="glance">
        <h2 id="glance">What each cap costs</h2>
        <div class="tables">
        """
            + caps
            + "</div>\n</section>\n";
  }

  /** The arms over time; empty when there is nothing to draw. */
  static String overTime(Run run, TimePicture picture) {
    List<ArmCharts> arms =
        picture.arms().stream()
            .filter(arm -> arm.panels().stream().anyMatch(Panel::measured))
            .toList();
    if (arms.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <section class="glance" aria-labelledby="glance">
        <h2 id="glance">Over time%s</h2>
        <div class="two">
        """
            .formatted(rest(run, picture)));
    for (ArmCharts arm : arms) {
      String name = HtmlText.escape(arm.arm().name());
      out.append(
          "<figure class=\"panel\" data-glance=\"%s\">\n<figcaption><h3>%s</h3></figcaption>\n"
              .formatted(name, name));
      out.append(
          "<svg class=\"chart time\" height=\"%d\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n</figure>\n"
              .formatted(
                  TimePicture.HEIGHT, HtmlText.escape(picture.label(arm)), picture.elements(arm)));
    }
    return out.append("</div>\n</section>\n").toString();
  }

  /** Says what is left out, if anything is. */
  private static String rest(Run run, TimePicture picture) {
    List<String> parts = new ArrayList<>();
    if (run.parts().stream().anyMatch(arm -> arm.round() > 1)) {
      parts.add("round 1");
    }
    if (run.names().size() > picture.arms().size()) {
      parts.add("the first %d arms".formatted(picture.arms().size()));
    }
    return parts.isEmpty()
        ? ""
        : " <small>%s; the charts further down show all</small>"
            .formatted(String.join(", ", parts));
  }
}
