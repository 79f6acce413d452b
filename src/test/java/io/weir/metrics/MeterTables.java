package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of meters in {@code docs/METRICS.md}: each below a heading that ends with the name of
 * its binder.
 */
final class MeterTables {

  private static final Pattern HEADING = Pattern.compile("## .*\\(`(\\w+)`\\)");

  private static final String HEAD =
      "| meter | in Prometheus | type | unit | own tags | what it tells |\n|---|---|---|---|---|---|";

  private static final PrometheusNamingConvention PROMETHEUS = new PrometheusNamingConvention();

  private MeterTables() {}

  /** The page with each table made anew. */
  static String in(String page) {
    Map<String, List<MeterSpec>> meters =
        MeterSpec.byBinder().entrySet().stream()
            .collect(Collectors.toMap(e -> e.getKey().getSimpleName(), Map.Entry::getValue));
    List<String> lines = new ArrayList<>();
    Set<String> shown = new HashSet<>();
    List<MeterSpec> due = null;
    for (String line : page.lines().toList()) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        due = meters.get(heading.group(1));
      }
      if (due == null || !line.startsWith("|")) {
        lines.add(line);
      } else if (shown.add(String.valueOf(due.get(0).id()))) {
        lines.add(HEAD);
        due.forEach(meter -> lines.add(row(meter)));
      }
    }
    assertEquals(meters.size(), shown.size(), "each binder has a heading and a table");
    return String.join("\n", lines) + "\n";
  }

  static String row(MeterSpec meter) {
    return "| `%s` | `%s` | %s | %s | %s | %s |"
        .formatted(
            meter.id(),
            prometheus(meter),
            meter.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            meter.unit().replace('_', ' '),
            meter.tagKeys().isEmpty()
                ? "-"
                : meter.tagKeys().stream()
                    .map(key -> "`" + key + "`")
                    .collect(Collectors.joining(", ")),
            meter.description());
  }

  /** The name of its family in a scrape; the samples of a timer add {@code _count} and others. */
  static String prometheus(MeterSpec meter) {
    return PROMETHEUS.name(meter.id(), meter.type(), meter.unit());
  }
}
