package io.weir.figure;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.engine.Figures;
import io.weir.jfr.WeirEvents;
import io.weir.jmx.ByteBudgetBean;
import io.weir.jmx.MergesBean;
import io.weir.merge.MergeTracker;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.MergeMetrics;
import io.weir.metrics.MeterTables;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.report.SampleRun;
import io.weir.report.text.ResultTable;
import io.weir.run.RunSchema;
import io.weir.store.WritebackDirectory;
import io.weir.stress.arm.meters.Sampler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import org.apache.lucene.store.FSDirectory;

/** Writes what each place shows into a file of the place's name; {@link FootprintTest} reads it. */
final class Footprint {

  static final String PROMETHEUS = "prometheus";
  static final String JMX = "jmx";
  static final String ANSWER = "answer";
  static final String EVENT = "event";
  static final String SCHEMA = "schema";
  static final String TABLE = "table";
  static final String PAGE = "page";
  static final String SAMPLES = "samples";

  static final List<String> PLACES =
      List.of(PROMETHEUS, JMX, ANSWER, EVENT, SCHEMA, TABLE, PAGE, SAMPLES);

  private Footprint() {}

  /**
   * @param arguments the directory to write into
   */
  @SuppressWarnings("try") // the beans are only registered
  public static void main(String[] arguments) throws Exception {
    Path out = Path.of(arguments[0]);
    ByteBudget budget = new ByteBudget(BudgetOptions.named("b"));
    MergeTracker merges = new MergeTracker(budget);
    try (FSDirectory files = FSDirectory.open(Files.createDirectories(out.resolve("index")));
        WritebackDirectory directory = new WritebackDirectory(files);
        ByteBudgetBean budgetBean = ByteBudgetBean.register(budget);
        MergesBean mergesBean = MergesBean.register(merges, "m");
        WeirEvents events = new WeirEvents()) {
      write(out, PROMETHEUS, scrape(budget, merges, directory));
      write(out, JMX, attributes());
      write(
          out,
          ANSWER,
          "node "
              + Figures.of(BudgetSnapshot.FIGURES, budget.snapshot())
                  .toString()
                  .replaceAll("[{}]", "")
              + Figures.ofMerges(merges)
              + "writeback "
              + Figures.ofLayers(directory));
      events.add("m", merges);
      write(out, EVENT, events());
    }
    write(out, SCHEMA, RunSchema.current());
    write(out, TABLE, table());
    write(out, SAMPLES, String.join(",", Sampler.COLUMNS));
    write(out, PAGE, MeterTables.in(Files.readString(MeterTables.PAGE)));
  }

  private static void write(Path out, String place, String text) throws IOException {
    Files.writeString(out.resolve(place), text);
  }

  private static String scrape(
      ByteBudget budget, MergeTracker merges, WritebackDirectory directory) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new BudgetMetrics(budget).bindTo(registry);
    new MergeMetrics(merges, Tags.empty()).bindTo(registry);
    new DirectoryMetrics(directory, Tags.empty()).bindTo(registry);
    return registry.scrape();
  }

  private static String attributes() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StringBuilder all = new StringBuilder();
    for (ObjectName name : server.queryNames(new ObjectName("io.weir:*"), null)) {
      for (var attribute : server.getMBeanInfo(name).getAttributes()) {
        all.append(name.getKeyProperty("type"))
            .append(' ')
            .append(attribute.getName())
            .append(' ')
            .append(server.getAttribute(name, attribute.getName()))
            .append('\n');
      }
    }
    return all.toString();
  }

  private static String events() {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .filter(type -> type.getName().startsWith("io.weir."))
        .flatMap(
            type ->
                type.getFields().stream()
                    .map(
                        field ->
                            type.getName()
                                + " "
                                + field.getName()
                                + " "
                                + field.getTypeName()
                                + " "
                                + field.getContentType()))
        .collect(Collectors.joining("\n"));
  }

  /** Of a run in whose merge the budget and the writeback counted what they count here. */
  private static String table() throws IOException {
    return new ResultTable(false)
        .render(
            new SampleRun()
                .more(io.weir.run.MergeFigures.BUDGET.told(figure -> 4711, Shown.SAMPLE))
                .arm("weir", 1, 50)
                .result());
  }
}
