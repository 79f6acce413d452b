package io.weir.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages stay short, begin with their reader, and have the sections that readers expect. */
class UserPagesTest {

  /** Of all pages for users. A page that grows takes its words from another. */
  private static final int MOST_WORDS = 15_500;

  /** Rows of the tables of meters, of the key figures, and of the versions of engines. */
  private static final String GENERATED =
      "\\| (`[a-z.]+` \\| `\\w+_\\w+`|meter \\| in Prometheus|spindle|volume|own"
          + "|OpenSearch \\| a server|Elasticsearch \\| a server|Solr \\| a server).*";

  private static final Pattern CODE = Pattern.compile("(?s)```.*?```");
  private static final Pattern WORD = Pattern.compile(".*[\\p{L}\\p{N}].*");
  private static final Pattern FIGURE = Pattern.compile("`([a-z_.IS]+)`");

  @Test
  void readme_isAScreenOrTwo() throws IOException {
    int lines = Files.readAllLines(Path.of("README.md")).size();
    assertTrue(lines <= 80, "lines: " + lines);
  }

  @Test
  void readme_saysFirstWhatIsWrong_thenHowToInstall_andLastHowToBuild() throws IOException {
    List<String> headings = DocumentLinksTest.headings(Files.readString(Path.of("README.md")));
    assertEquals("Weir", headings.get(0));
    assertEquals("Install", headings.get(1));
    List<String> rest = List.of("What you will see", "The stress test", "Build and test");
    assertEquals(rest, headings.stream().filter(rest::contains).toList());
    assertEquals("Build and test", headings.getLast());
  }

  /**
   * Code, and the tables of meters, key figures and versions, which are generated, are not counted.
   */
  @Test
  void words_ofPagesForUsers_areLimited() throws IOException {
    Map<String, Long> words = new LinkedHashMap<>();
    for (Path page : Pages.ofUsers()) {
      words.put(page.getFileName().toString(), words(Files.readString(page)));
    }
    long all = words.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(all <= MOST_WORDS, all + " words: " + words);
  }

  @Test
  void pages_sayInTheirFirstThreeLinesForWhomTheyAre() throws IOException {
    Set<String> silent = new TreeSet<>();
    for (Path page : Pages.all()) {
      boolean measured = page.startsWith("docs/measurements") && !page.endsWith("README.md");
      if (measured || page.endsWith("CHANGELOG.md") || page.equals(Path.of("README.md"))) {
        continue;
      }
      List<String> first = Files.readAllLines(page).stream().limit(3).toList();
      if (first.stream().noneMatch(line -> line.startsWith("For "))
          || first.stream().noneMatch(line -> line.contains("After this page"))) {
        silent.add(page.toString());
      }
    }
    assertEquals(Set.of(), silent);
  }

  @Test
  void enginePages_haveTheSameSections_inTheSameOrder() throws IOException {
    List<String> sections =
        List.of(
            "Install",
            "In containers",
            "Turn it on",
            "What to look at",
            "Cap merges",
            "Follow and cancel a forced merge",
            "Settings",
            "Measure it",
            "In a cluster",
            "Permissions",
            "Undo",
            "What works",
            "Limits");
    for (String engine : List.of("OPENSEARCH", "ELASTICSEARCH", "SOLR")) {
      List<String> headings =
          DocumentLinksTest.headings(Files.readString(Path.of("docs", engine + ".md")));
      assertEquals(sections, headings.subList(1, headings.size()), engine);
    }
  }

  /** Those that come only while a merge runs, or after a slow refresh, are not in the answer. */
  @ParameterizedTest
  @ValueSource(strings = {"OPENSEARCH", "ELASTICSEARCH"})
  void figures_thatAnEnginePageNames_areInItsAnswer(String engine) throws IOException {
    String answer =
        Files.readString(Path.of("src/test/resources/io/weir/golden/plug-in-stats.txt"));
    String page = Files.readString(Path.of("docs", engine + ".md"));
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (String row : page.substring(page.indexOf("| figure |")).split("\n\n")[0].split("\n")) {
      for (var name : FIGURE.matcher(row.split("\\|")[1]).results().toList()) {
        String path = "/" + name.group(1).replace("I.S", "products.3").replace('.', '/');
        named++;
        if (!path.endsWith("/merges/running")
            && answer.lines().noneMatch(line -> line.startsWith(path))) {
          missing.add(name.group(1));
        }
      }
    }
    assertTrue(named > 12, "named: " + named);
    assertEquals(List.of(), missing);
  }

  private static long words(String page) {
    Stream<String> lines = CODE.matcher(page).replaceAll("").lines();
    return lines
        .filter(line -> !line.matches(GENERATED))
        .flatMap(line -> Arrays.stream(line.split("\\s+")))
        .filter(word -> WORD.matcher(word).matches())
        .count();
  }
}
