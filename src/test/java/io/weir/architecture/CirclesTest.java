package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The types of the library depend on each other in one direction only, inside a package too. */
class CirclesTest {

  private static final Path MAIN = Path.of("target/classes");
  private static final Path TESTS = Path.of("target/test-classes");

  /** All packages but those of the stress test, the report and the command line. */
  private static final Set<String> LIBRARY =
      Set.of(
          "time",
          "procfs",
          "rate",
          "lucene",
          "store",
          "merge",
          "nrt",
          "control",
          "metrics",
          "jfr",
          "jmx",
          "host",
          "corpus",
          "exporter");

  @Test
  void library_hasNoCircleOfTypes() {
    assertTrue(Files.exists(MAIN.resolve("io/weir/Weir.class")), "the library was not compiled");

    assertEquals(
        List.of(),
        Circles.of(MAIN, "io.weir").stream()
            .filter(circle -> circle.stream().anyMatch(CirclesTest::isOfLibrary))
            .toList());
  }

  @Test
  void violations_theCircleIsCaught() {
    assertEquals(
        List.of(List.of("rate.RateUsesLucene", "time.TimeUsesRate")),
        Circles.of(TESTS, "io.weir.architecture.violations"));
  }

  /** Types of the root package have no package before their name. */
  private static boolean isOfLibrary(String type) {
    int dot = type.indexOf('.');
    return dot < 0 || LIBRARY.contains(type.substring(0, dot));
  }
}
