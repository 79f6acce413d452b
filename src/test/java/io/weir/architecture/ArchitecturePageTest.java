package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/internals/ARCHITECTURE.md} shows is what the code does. */
class ArchitecturePageTest {

  private static final Path PAGE = Path.of("docs/internals/ARCHITECTURE.md");
  private static final Pattern GRAPH = Pattern.compile("```mermaid\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.[a-z][^`]*)?`");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| \\d \\| (`[^|]*`) \\|");

  @Test
  void graph_ofThePage_isThatOfTheImports() throws IOException {
    PackageGraph code = PackageGraph.of("io.weir", WeirClasses.all());

    List<String> shown =
        GRAPH.matcher(Files.readString(PAGE)).results().map(MatchResult::group).toList();

    assertEquals(List.of("```mermaid\n" + code.withoutDetours().mermaid() + "```"), shown);
  }

  @Test
  void table_ofThePage_hasARowForEachRing() throws IOException {
    Set<String> rows = new TreeSet<>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .flatMap(row -> Arrays.stream(row.group(1).split(", ")))
        .forEach(name -> assertTrue(rows.add(name.replace("`", "")), name + " comes twice"));

    assertEquals(new TreeSet<>(Ring.packageNames()), rows);
  }

  @Test
  void types_thatThePageNames_exist() throws IOException {
    Set<String> known = new TreeSet<>(List.of("Directory", "FileChannel", "Layer"));
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      files.forEach(file -> known.add(file.getFileName().toString().replace(".java", "")));
    }

    List<String> unknown =
        TYPE.matcher(Files.readString(PAGE))
            .results()
            .map(name -> name.group(1))
            .filter(name -> !known.contains(name))
            .toList();

    assertEquals(List.of(), unknown);
  }

  @Test
  void withoutDetours_anArrowThatALongerWayStandsFor_isLeftOut() {
    PackageGraph graph =
        new PackageGraph(
            Map.of("a", Set.of("b", "c", "d"), "b", Set.of("c"), "c", Set.of(), "d", Set.of()));

    assertEquals("graph TD\n  a --> b & d\n  b --> c\n", graph.withoutDetours().mermaid());
  }
}
