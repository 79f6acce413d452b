package io.weir.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.Panel;
import java.util.List;

/** What the page's script draws, as JSON: arms, their measured panels, x and columns of each. */
final class ChartData {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ChartData() {}

  static String json(List<ArmCharts> arms) {
    ObjectNode root = JSON.objectNode();
    ArrayNode list = root.putArray("arms");
    for (ArmCharts arm : arms) {
      ObjectNode node = list.addObject();
      arm.merge()
          .ifPresent(
              merge -> {
                node.set("merge", numbers(List.of(merge.fromSeconds(), merge.toSeconds())));
                node.put("mergeLabel", merge.label());
              });
      ObjectNode panels = node.putObject("panels");
      for (Panel panel : arm.panels()) {
        if (panel.measured()) {
          panels.set(panel.kind().id(), panel(panel));
        }
      }
    }
    return root.toString();
  }

  private static ObjectNode panel(Panel panel) {
    ObjectNode node = JSON.objectNode();
    node.set("x", numbers(panel.xSeconds()));
    ArrayNode series = node.putArray("series");
    for (int i = 0; i < panel.columns().size(); i++) {
      ObjectNode one = series.addObject();
      one.put("id", panel.kind().series().get(i));
      if (panel.columns().get(i).stream().anyMatch(value -> !value.isNaN())) {
        one.set("values", numbers(panel.columns().get(i)));
      }
    }
    if (!panel.notes().isEmpty()) {
      ArrayNode notes = node.putArray("notes");
      for (String note : panel.notes()) {
        notes.add(note.isEmpty() ? JSON.nullNode() : JSON.textNode(note));
      }
    }
    return node;
  }

  /** Three decimals are microseconds, bytes in kB and hundredths of a percent: finer than seen. */
  private static ArrayNode numbers(List<Double> values) {
    ArrayNode array = JSON.arrayNode(values.size());
    for (Double value : values) {
      if (value.isNaN()) {
        array.addNull();
      } else if (value == Math.rint(value)) {
        array.add(Math.round(value));
      } else {
        array.add(Math.round(value * 1000) / 1000.0);
      }
    }
    return array;
  }
}
