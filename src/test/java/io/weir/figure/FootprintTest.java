package io.weir.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A figure that is added to a source, by one edit of one file, appears everywhere. The edit is made
 * in copies of the sources; they are compiled and take the place of the originals in another JVM.
 */
@Slow("compiles sources, and starts a JVM")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FootprintTest {

  private static final Path SOURCES = Path.of("src/main/java");

  private Map<String, String> shown;

  @BeforeAll
  void addOneFigureToEachSource(@TempDir Path temp) throws Exception {
    List<String> edited = new ArrayList<>(List.of("-proc:none", "-nowarn"));
    edited.addAll(List.of("-cp", System.getProperty("java.class.path")));
    edited.addAll(List.of("-d", temp.resolve("classes").toString()));
    edited.add(edit(temp, "io/weir/rate/BudgetSnapshot"));
    edited.add(edit(temp, "io/weir/merge/MergeKindTotals"));
    edited.add(edit(temp, "io/weir/merge/MergeTotals"));
    edited.add(edit(temp, "io/weir/store/WritebackSnapshot"));
    edited.add(edit(temp, "io/weir/store/ForecastSnapshot"));
    int compiled =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, edited.toArray(String[]::new));
    assertEquals(0, compiled);

    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                temp.resolve("classes") + ":" + System.getProperty("java.class.path"),
                Footprint.class.getName(),
                temp.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("out").toFile())
            .start();
    assertEquals(0, child.waitFor(), Files.readString(temp.resolve("out")));
    shown = Footprint.PLACES.stream().collect(Collectors.toMap(place -> place, p -> read(temp, p)));
  }

  private static String read(Path temp, String place) {
    try {
      return Files.readString(temp.resolve(place));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a figure before the first one of a source. */
  private static String edit(Path temp, String type) throws IOException {
    String source = Files.readString(SOURCES.resolve(type + ".java"));
    String name = type.substring(type.lastIndexOf('/') + 1);
    String figure =
        "io.weir.figure.SourceFigure.<%s>total(\"footprint\", io.weir.figure.Unit.BYTES, "
                .formatted(name)
            + "\"Bytes of the test\", source -> 4711L),";
    String changed = source.replaceFirst("(SourceFigures\\.of\\(\\s*\"[a-z.]+\",)", "$1 " + figure);
    assertTrue(!changed.equals(source), type);
    Path copy = temp.resolve("sources").resolve(type + ".java");
    Files.createDirectories(copy.getParent());
    Files.createDirectories(temp.resolve("classes"));
    return Files.writeString(copy, changed).toString();
  }

  private void assertShown(String place, String... texts) {
    for (String text : texts) {
      assertTrue(shown.get(place).contains(text), place + " lacks " + text + shown.get(place));
    }
  }

  @Test
  void prometheus_hasIt() {
    assertShown(
        Footprint.PROMETHEUS,
        "lucene_merge_throttle_footprint_bytes_total{budget=\"b\"} 4711.0",
        "lucene_merge_footprint_bytes_total{kind=\"forced\"} 4711.0",
        "lucene_writeback_footprint_bytes_total 4711.0");
  }

  @Test
  void jmx_hasIt() {
    assertShown(Footprint.JMX, "ByteBudget FootprintBytes 4711", "Merges FootprintBytes 4711");
  }

  @Test
  void answerOfAPlugIn_hasIt() {
    assertShown(
        Footprint.ANSWER, "node footprint_bytes=4711", "forced={footprint_bytes=4711", "writeback");
  }

  @Test
  void flightRecorder_hasIt() {
    assertShown(Footprint.EVENT, "io.weir.Merge footprintBytes long jdk.jfr.DataAmount");
  }

  @Test
  void run_hasIt_inItsSchemaAndInItsTable() {
    assertShown(
        Footprint.SCHEMA,
        "\"merge.footprintBytes\"",
        "\"merge.forecast.footprintBytes\"",
        "\"Bytes of the test, in B\"");
    assertShown(Footprint.TABLE, "footprint", "4711");
  }

  @Test
  void samplesOfARun_haveIt() {
    assertShown(Footprint.SAMPLES, "machine_cpu_nanos,footprint_bytes");
  }

  @Test
  void metricsPage_hasIt() {
    assertShown(
        Footprint.PAGE,
        "| `lucene.merge.throttle.footprint` | `lucene_merge_throttle_footprint_bytes_total` |",
        "| `lucene.writeback.footprint` | `lucene_writeback_footprint_bytes_total` |",
        "| `lucene.merge.forecast.footprint` | `lucene_merge_forecast_footprint_bytes_total` |");
  }
}
