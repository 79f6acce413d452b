package io.weir.benchmark.headlines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.headlines.HeadlinePlan.Disk;
import io.weir.report.compare.Comparison;
import io.weir.run.LatencySummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the key figures of docs/MEASURING.md may say: each row has its disk, its rounds and its
 * counts; a percentile only where there were operations enough; an interval and a verdict only from
 * five rounds on.
 */
class KeyFiguresPageTest {

  private static final Pattern INTERVAL = Pattern.compile("[-+]?\\d[\\d.]* to [-+]?\\d");
  private static final Pattern VERDICT =
      Pattern.compile(
          "lower|higher|the same|as if|no worse|detectabl|costs nothing|not slower|cannot be told");
  private static final Pattern ROUNDS = Pattern.compile("(\\d+) rounds?|in (\\d+)\\)");
  private static final Pattern PERCENTILE = Pattern.compile("p(\\d\\d)");
  private static final Pattern OPERATIONS =
      Pattern.compile("([\\d,]+) (?:reopens|refreshes|soft commits|searches|operations)");

  private static String keyFigures() throws IOException {
    String page = Files.readString(Path.of("docs/MEASURING.md"));
    int from = page.indexOf("## Key figures");
    return page.substring(from, page.indexOf("\n## ", from));
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
        .map(String::strip)
        .toList();
  }

  /** What breaks the rules in a row. */
  private static List<String> faults(String row) {
    List<String> cells = cells(row);
    List<String> faults = new ArrayList<>();
    if (cells.size() != HeadlineTable.COLUMNS.length) {
      return List.of("a row must have " + HeadlineTable.COLUMNS.length + " cells");
    }
    if (Stream.of(Disk.values()).noneMatch(disk -> disk.label().equals(cells.get(0)))) {
      faults.add("no disk");
    }
    if (!cells.get(3).matches("[1-9]\\d*")) {
      return List.of("no rounds");
    }
    count(faults, cells.get(4), cells.get(5));
    count(faults, cells.get(7), cells.get(8));
    boolean interval = INTERVAL.matcher(cells.get(6)).find();
    boolean few = Integer.parseInt(cells.get(3)) < Comparison.LEAST_ROUNDS;
    if (few && (interval || VERDICT.matcher(row).find())) {
      faults.add("an interval or a verdict of fewer than five rounds");
    }
    if (!few && !interval && !cells.get(2).equals(HeadlinePlan.STOCK)) {
      faults.add("no interval");
    }
    if (row.contains(">=") && interval) {
      faults.add("a merge that did not end is compared");
    }
    return faults;
  }

  private static void count(List<String> faults, String count, String figure) {
    if (figure.equals("-")) {
      return;
    }
    if (!count.matches("~?\\d+")) {
      faults.add("no count for " + figure);
      return;
    }
    long operations = Long.parseLong(count.replace("~", ""));
    Matcher percentile = PERCENTILE.matcher(figure);
    if (percentile.find() && operations < least(percentile.group(1))) {
      faults.add("%s of %d".formatted(percentile.group(), operations));
    } else if (!figure.matches("(p50|p90|p99|max) .*")) {
      faults.add("no name for " + figure);
    }
  }

  private static long least(String percentile) {
    return switch (percentile) {
      case "99" -> LatencySummary.LEAST_FOR_P99;
      case "90" -> LatencySummary.LEAST_FOR_P90;
      default -> 1;
    };
  }

  /** What breaks them in a paragraph. */
  private static List<String> faultsOfText(String text) {
    List<String> faults = new ArrayList<>();
    long operations =
        OPERATIONS
            .matcher(text)
            .results()
            .mapToLong(found -> Long.parseLong(found.group(1).replace(",", "")))
            .min()
            .orElse(0);
    PERCENTILE
        .matcher(text)
        .results()
        .filter(found -> operations < least(found.group(1)))
        .forEach(found -> faults.add("%s of %d".formatted(found.group(), operations)));
    long rounds =
        ROUNDS
            .matcher(text)
            .results()
            .mapToLong(found -> Long.parseLong(found.group(found.group(1) == null ? 2 : 1)))
            .min()
            .orElse(0);
    if (VERDICT.matcher(text).find() && rounds < Comparison.LEAST_ROUNDS) {
      faults.add("a verdict of " + rounds + " rounds");
    }
    return faults;
  }

  private static List<String> rows(String section) {
    return section.lines().filter(line -> line.startsWith("| ")).toList();
  }

  @Test
  void table_hasTheFormThatTheBenchmarkWrites() throws IOException {
    assertEquals(List.of(HeadlineTable.COLUMNS), cells(rows(keyFigures()).getFirst()));
  }

  @Test
  void rows_haveDiskRoundsAndCount_andNothingThatIsNotKnown() throws IOException {
    List<String> rows = rows(keyFigures());
    assertTrue(rows.size() > 10, rows.toString());
    for (String row : rows.subList(1, rows.size())) {
      assertEquals(List.of(), faults(row), row);
    }
  }

  @Test
  void sentences_nameNoPercentileAndGiveNoVerdictThatIsNotKnown() throws IOException {
    keyFigures()
        .lines()
        .filter(line -> line.startsWith("- "))
        .forEach(line -> assertEquals(List.of(), faultsOfText(line), line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "| | a | weir | 5 | 1000 | p99 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | - | 1000 | p99 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | - | p99 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | 999 | p99 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | 99 | p90 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | 999 | 3 | -9 (-12 to -3), lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | 1000 | p99 3 | - | - | - | 3 | 4 |",
        "| own | a | weir | 4 | 1000 | p99 3 | -9 (-12 to -3) | - | - | 3 | 4 |",
        "| own | a | weir | 4 | 1000 | p99 3 | lower | - | - | 3 | 4 |",
        "| own | a | weir | 5 | 1000 | p99 3 | -9 (-12 to -3), lower | - | - | >= 3 | 4 |",
        "| own | a | weir | 5 | 1000 | p99 3 | -9 (-12 to -3), lower | 30 | p99 4 | 3 | 4 |"
      })
  void faults_ofARowThatBreaksARule_isOne(String row) {
    assertEquals(1, faults(row).size(), faults(row).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- refresh p99 is 64 ms against 118.",
        "- refresh p99 of 999 refreshes is 64 ms.",
        "- Nothing is detectably worse in 3 rounds.",
        "- It costs nothing."
      })
  void faults_ofASentenceThatBreaksARule_isOne(String sentence) {
    assertEquals(1, faultsOfText(sentence).size(), faultsOfText(sentence).toString());
  }
}
