package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is a module, with nothing on its module path but the jars named: it is
 * compiled and run by the JDK alone.
 */
@Slow("starts javac and java")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModulePathIT {

  private static final String ALONE =
      """
      package demo;

      import io.weir.Weir;
      import io.weir.control.ScheduledRate;
      import io.weir.jfr.WeirEvents;
      import io.weir.jmx.ByteBudgetBean;
      import io.weir.nrt.ReopenMonitor;
      import io.weir.option.HumanSchedule;
      import io.weir.rate.*;
      import io.weir.store.ResidentKeys;
      import java.nio.file.Path;
      import java.time.ZoneId;
      import org.apache.lucene.document.Document;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.*;

      public class Demo {
        public static void main(String[] args) throws Exception {
          ByteBudget budget = new ByteBudget(BudgetOptions.named("demo"));
          RateSchedule hours = HumanSchedule.parse("hours", "09:00-17:00 10MB/s; else 40MB/s");
          try (ScheduledRate quiet = ScheduledRate.begin(hours, ZoneId.of("UTC"), budget::setRate);
              ByteBudgetBean bean = ByteBudgetBean.register(budget);
              WeirEvents events = new WeirEvents();
              Weir weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(Path.of(args[0]));
              IndexWriter writer = new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
              SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
              ReopenMonitor reopens = weir.attach(searchers)) {
            writer.addDocument(new Document());
            reopens.maybeRefresh();
            System.out.println("reopens " + reopens.recent().size());
          }
        }
      }
      """;

  private static final String WITH_METRICS =
      """
      package demo;

      import io.micrometer.core.instrument.Tags;
      import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
      import io.weir.metrics.BudgetMetrics;
      import io.weir.rate.ByteBudget;

      public class Demo {
        public static void main(String[] args) {
          var registry = new SimpleMeterRegistry();
          new BudgetMetrics(ByteBudget.perSecond(1000), Tags.of("disk", "a")).bindTo(registry);
          System.out.println("meters " + !registry.getMeters().isEmpty());
        }
      }
      """;

  @TempDir Path temp;
  private Path sources;

  @BeforeEach
  void makeSources() throws IOException {
    sources = Files.createDirectories(temp.resolve("src/demo"));
  }

  @Test
  void libraryAndLuceneAlone_compilesAndRuns() throws Exception {
    assertEquals(
        "reopens 1", compiledAndRun("module demo { requires io.weir; }", ALONE, "lucene-core-"));
  }

  @Test
  void withMicrometer_itsMetersAreThere() throws Exception {
    assertEquals(
        "meters true",
        compiledAndRun(
            "module demo { requires io.weir; requires micrometer.core; }",
            WITH_METRICS,
            "lucene-core-",
            "micrometer-",
            "HdrHistogram-",
            "jspecify-"));
  }

  private String compiledAndRun(String module, String demo, String... jars) throws Exception {
    Files.writeString(temp.resolve("src/module-info.java"), module);
    Files.writeString(sources.resolve("Demo.java"), demo);
    String libraries = libraries(jars);
    Path classes = temp.resolve("classes");
    said(
        "javac",
        "-Xlint:all,-try,-requires-automatic,-requires-transitive-automatic",
        "-Werror",
        "-p",
        libraries,
        "-d",
        classes.toString(),
        temp.resolve("src/module-info.java").toString(),
        sources.resolve("Demo.java").toString());
    return said(
        "java",
        "--enable-native-access=io.weir",
        "-p",
        classes + File.pathSeparator + libraries,
        "-m",
        "demo/demo.Demo",
        temp.resolve("index").toString());
  }

  /** The library and those jars of our own class path whose names begin so. */
  private static String libraries(String... beginnings) {
    List<String> libraries = new ArrayList<>(List.of(Artifact.built("weir-", ".jar").toString()));
    String classPath = System.getProperty("surefire.test.class.path"); // of this very process
    for (String beginning : beginnings) {
      List<String> found =
          Stream.of(classPath.split(File.pathSeparator))
              .filter(jar -> Path.of(jar).getFileName().toString().startsWith(beginning))
              .toList();
      assertTrue(!found.isEmpty(), beginning);
      libraries.addAll(found);
    }
    return String.join(File.pathSeparator, libraries);
  }

  /** What a program of the JDK printed that ended well. */
  private String said(String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", program).toString());
    command.addAll(Arrays.asList(arguments));
    Path output = temp.resolve("output");
    Path errors = temp.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), Files.readString(errors) + Files.readString(output));
    return Files.readString(output).strip();
  }
}
