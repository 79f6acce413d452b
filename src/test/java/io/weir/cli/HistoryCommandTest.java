package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.history.HistoryEntry;
import io.weir.run.RunJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir history check} and {@code export}, for build servers and other tools. */
class HistoryCommandTest {

  @TempDir Path history;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Twenty nights of 100 s, then twenty of 110 s, from the 21st of November on. */
  @BeforeEach
  void makeHistory() throws Exception {
    for (int night = 0; night < 40; night++) {
      add("stress", night, night < 20 ? 100 + night % 2 : 110 + night % 2);
    }
  }

  private void add(String series, int night, double seconds) throws Exception {
    Instant at = Instant.parse("2026-11-01T03:15:00Z").plus(Duration.ofDays(night));
    HistoryEntry entry =
        new HistoryEntry(
            series,
            at,
            Map.of("Lucene", "10.5.1"),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("arms[a].merge.seconds", seconds));
    Path runs = Files.createDirectories(history.resolve("runs").resolve(series));
    Files.writeString(
        runs.resolve(at.toString().replace(":", "") + ".json"), RunJson.tree(entry).toString());
  }

  private int weir(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "history";
    all[1] = "--history";
    all[2] = history.toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }

  @Test
  void check_ofAHistoryWithAChange_exitsWith3_andSaysWhich() {
    assertEquals(3, weir("check"), err.toString());
    assertTrue(
        out.toString()
            .startsWith("2026-11-21: stress: arms[a].merge.seconds rose from 100 to 110, by 9."),
        out.toString());
  }

  @Test
  void check_ofASmallerOrAnEarlierChange_exitsWith0() {
    assertEquals(0, weir("check", "--least", "15"), err.toString());
    assertEquals(0, weir("check", "--since", "2026-11-22"), err.toString());
    assertEquals(3, weir("check", "--since", "2026-11-21", "--least", "5"), err.toString());
  }

  @Test
  void check_ofWrongValues_isRefused() {
    assertEquals(2, weir("check", "--since", "yesterday"));
    assertTrue(err.toString().contains("--since must be a date such as 2026-11-22"), "" + err);
    assertEquals(2, weir("check", "--least=-1"));
    assertTrue(err.toString().contains("--least must be 0 % or more: -1.0"), "" + err);
  }

  @Test
  void export_ofTheOnlySeries_isItsCsv_andOfSeveralNeedsAName() throws Exception {
    assertEquals(0, weir("export"), err.toString());
    assertTrue(
        out.toString()
            .startsWith(
                "time,weir,lucene,java,arms[a].merge.seconds\n"
                    + "2026-11-01T03:15:00Z,,10.5.1,,100.0\n"),
        out.toString());
    add("load", 1, 7);
    assertEquals(2, weir("export"));
    assertTrue(err.toString().contains("--series must name one of [load, stress]"), "" + err);
    assertEquals(2, weir("export", "--series", "x"));
    assertEquals(0, weir("export", "--series", "load"));
    assertEquals(42, out.toString().lines().filter(line -> line.startsWith("2026")).count() + 1);
  }
}
