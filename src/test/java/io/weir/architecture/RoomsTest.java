package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inside a large package the arrows between its rooms go one way. */
class RoomsTest {

  private static final Rooms REPORT =
      new Rooms(
          "io.weir.report",
          Map.of(
              "model", Set.of(),
              "compare", Set.of(),
              "words", Set.of("model", "compare"),
              "table", Set.of("model", "compare", "words"),
              "chart", Set.of("model", "words"),
              "svg", Set.of("model", "words", "chart"),
              "text", Set.of("model", "compare", "words", "table"),
              "html", Set.of("model", "words", "table", "chart", "svg")));

  @Test
  void report_usesOnlyTheRoomsBelow() {
    assertEquals(List.of(), REPORT.violations(classes(REPORT)));
  }

  @Test
  void violations_anArrowAndARoomThatTheTableLacks_areCaught() {
    Rooms strict =
        new Rooms(
            REPORT.root(), Map.of("model", Set.of(), "chart", Set.of("model"), "svg", Set.of()));

    List<String> violations = strict.violations(classes(strict));

    assertTrue(
        violations.contains("io.weir.report.chart.DirtyView uses io.weir.report.words.Figures"),
        violations.toString());
    assertTrue(
        violations.contains(
            "io.weir.report.words.Figures is in a room that the table does not name"),
        violations.toString());
  }

  private static JavaClasses classes(Rooms rooms) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(rooms.root());
  }
}
