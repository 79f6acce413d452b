package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Inside a large package the arrows between its rooms go one way. */
class RoomsTest {

  private static final Rooms REPORT =
      new Rooms(
          "io.weir.report",
          Map.of(
              "model",
              Set.of(),
              "compare",
              Set.of(),
              "words",
              Set.of("model", "compare"),
              "table",
              Set.of("model", "compare", "words"),
              "chart",
              Set.of("model", "words"),
              "svg",
              Set.of("model", "words", "chart"),
              "text",
              Set.of("model", "compare", "words", "table"),
              "html",
              Set.of("model", "words", "table", "chart", "svg", "compare"),
              "load",
              Set.of("model", "compare", "words", "table", "chart", "svg", "text", "html")));

  private static final Rooms LOAD =
      new Rooms(
          "io.weir.load",
          Map.of(
              "plan", Set.of(),
              "client", Set.of("plan"),
              "server", Set.of(),
              "experiment", Set.of("plan", "client", "server")));

  private static final Rooms STRESS =
      new Rooms(
          "io.weir.stress",
          Map.ofEntries(
              Map.entry("setting", Set.of()),
              Map.entry("noise", Set.of()),
              Map.entry("plan", Set.of("setting")),
              Map.entry("index", Set.of("setting", "plan")),
              Map.entry("queries", Set.of("plan", "index")),
              Map.entry("arm", Set.of("setting", "plan", "index", "queries", "noise")),
              Map.entry("engine", Set.of("setting", "plan", "index", "queries", "arm")),
              Map.entry("worker", Set.of("plan", "index", "queries", "arm", "engine")),
              Map.entry(
                  "experiment",
                  Set.of(
                      "setting", "plan", "index", "queries", "noise", "arm", "engine", "worker")),
              Map.entry("sweep", Set.of("setting", "plan", "experiment"))));

  /** Of one arm, in its JVM; {@code ArmRun} and the types beside it use all of them. */
  private static final Rooms ARM =
      new Rooms(
          "io.weir.stress.arm",
          Map.of(
              "timeline", Set.of(),
              "logs", Set.of("timeline"),
              "load", Set.of("timeline", "logs"),
              "meters", Set.of("timeline", "logs", "load"),
              "storage", Set.of("load", "meters")));

  /**
   * Of the write path. The layers, which applications name, are above all of them; beside them are
   * the options and figures that rooms use as well.
   */
  private static final Rooms STORE =
      new Rooms(
          "io.weir.store",
          Map.of(
              "kernel", Set.of(),
              "held", Set.of(),
              "pages", Set.of("kernel"),
              "reads", Set.of("kernel", "pages"),
              "writeback", Set.of("kernel", "pages"),
              "keys", Set.of("held", "reads")));

  private static final List<Rooms> ALL = List.of(REPORT, LOAD, STRESS, ARM, STORE);

  @ParameterizedTest
  @FieldSource("ALL")
  void rooms_useOnlyThoseBelow(Rooms rooms) {
    assertEquals(List.of(), rooms.violations(WeirClasses.all()));
  }

  /** Or a mechanism would know the layer that it serves. */
  @Test
  void roomsOfStore_useNoLayer() {
    List<String> violations = new ArrayList<>();
    for (JavaClass origin : WeirClasses.all()) {
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        if (origin.getPackageName().startsWith(STORE.root() + ".")
            && target.getPackageName().equals(STORE.root())
            && target.getSimpleName().matches(".*Directory|DirectoryPlan")) {
          violations.add(origin.getName() + " uses " + target.getName());
        }
      }
    }
    assertEquals(List.of(), violations);
  }

  @Test
  void violations_anArrowAndARoomThatTheTableLacks_areCaught() {
    Rooms strict =
        new Rooms(
            REPORT.root(), Map.of("model", Set.of(), "chart", Set.of("model"), "svg", Set.of()));

    List<String> violations = strict.violations(WeirClasses.all());

    assertTrue(
        violations.contains("io.weir.report.chart.DirtyView uses io.weir.report.words.Figures"),
        violations.toString());
    assertTrue(
        violations.contains(
            "io.weir.report.words.Figures is in a room that the table does not name"),
        violations.toString());
  }
}
