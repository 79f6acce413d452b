package io.weir.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each link of a page to a file or a heading of this repository leads there. */
class DocumentLinksTest {

  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```");

  private static final Pattern RUNBOOK = Pattern.compile("runbook_url: \"([^\"]+)\"");

  /** A page that the source names, such as docs/METRICS.md. */
  private static final Pattern NAMED = Pattern.compile("docs/[\\w/-]+\\.md");

  @Test
  void links_ofAllPages_leadToAFileAndAHeading() throws IOException {
    Set<String> broken = new TreeSet<>();
    int links = 0;
    for (Path page : Pages.all()) {
      for (String link : links(Files.readString(page))) {
        links++;
        if (!leadsSomewhere(page, link)) {
          broken.add(page + " -> " + link);
        }
      }
    }
    assertTrue(links > 300, "links were found: " + links);
    assertEquals(Set.of(), broken);
  }

  @Test
  void pages_areReachedFromTheReadme() throws IOException {
    Set<Path> reached = new TreeSet<>();
    List<Path> next = new ArrayList<>(List.of(Path.of("README.md")));
    while (!next.isEmpty()) {
      Path page = next.removeLast();
      if (reached.add(page)) {
        for (String link : links(Files.readString(page))) {
          Path target = target(page, link);
          if (target.toString().endsWith(".md") && Files.exists(target)) {
            next.add(target);
          }
        }
      }
    }
    Set<Path> lonely = new TreeSet<>(Pages.all());
    lonely.removeAll(reached);
    assertEquals(Set.of(), lonely);
  }

  @Test
  void pagesThatAlertsAndScriptsName_exist() throws IOException {
    Set<String> missing = new TreeSet<>();
    for (String folder : List.of("tools", "docs/grafana", "src/main/dist", "src/main/resources")) {
      for (Path file : files(Path.of(folder))) {
        NAMED
            .matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
            .results()
            .map(MatchResult::group)
            .filter(name -> Files.notExists(Path.of(name)))
            .forEach(name -> missing.add(file + " names " + name));
      }
    }
    assertEquals(Set.of(), missing);
  }

  /** Whoever is woken by an alert reads what it means, and where it says what to do. */
  @Test
  void alerts_haveADescription_andARunbookThatIsThere() throws IOException {
    Path file = Path.of("docs/grafana/weir-alerts.yml");
    String[] rules = Files.readString(file).split("- alert: ");
    assertTrue(rules.length > 5, "rules: " + rules.length);
    for (String rule : List.of(rules).subList(1, rules.length)) {
      assertTrue(rule.contains("summary: \"") && rule.contains("description: \""), rule);
      Matcher runbook = RUNBOOK.matcher(rule);
      assertTrue(runbook.find(), rule);
      assertTrue(leadsSomewhere(Path.of("docs/METRICS.md"), runbook.group(1)), rule);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Install, install",
    "What you will see, what-you-will-see",
    "`run.json`, runjson",
    "A deadline (`MergeDeadlineMetrics`), a-deadline-mergedeadlinemetrics",
    "'Fast, or not', fast-or-not"
  })
  void anchor_ofAHeading_isThatOfTheWebSite(String heading, String anchor) {
    assertEquals(anchor, anchor(heading));
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    Path target = target(page, link);
    if (Files.notExists(target)) {
      return false;
    }
    int hash = link.indexOf('#');
    return hash < 0 || anchors(Files.readString(target)).contains(link.substring(hash + 1));
  }

  private static Path target(Path page, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
  }

  /** Links to this repository; those to the web are left out. */
  private static List<String> links(String page) {
    return LINK.matcher(CODE.matcher(page).replaceAll(""))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }

  static List<String> headings(String page) {
    return HEADING
        .matcher(BLOCK.matcher(page).replaceAll(""))
        .results()
        .map(heading -> heading.group(1))
        .toList();
  }

  /** A heading that comes again has a number. */
  private static Set<String> anchors(String page) {
    Map<String, Integer> seen = new HashMap<>();
    return headings(page).stream()
        .map(
            heading -> {
              String anchor = anchor(heading);
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              return before == 0 ? anchor : anchor + "-" + before;
            })
        .collect(Collectors.toSet());
  }

  private static String anchor(String heading) {
    return heading
        .toLowerCase(Locale.ROOT)
        .strip()
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
