package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.text.ResultTable;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run directory as the first version left it that had one: {@code first-run} was written by it
 * and has none of what came later (phases of reopens, slow reopens, pauses, noise, objectives).
 */
class OlderRunTest {

  private static final String FIRST_RUN = "first-run";

  @TempDir Path directory;

  @BeforeEach
  void copy() throws Exception {
    Path from = Path.of(OlderRunTest.class.getResource(FIRST_RUN).toURI());
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void readRun_ofTheFirstVersion_hasItsFiguresAndNoOthers() throws Exception {
    RunResult run = new RunFiles(directory).readRun();

    assertEquals(
        List.of("uncapped", "cap=5MB/s"), run.arms().stream().map(ArmResult::name).toList());
    for (ArmResult arm : run.arms()) {
      assertEquals(ArmStatus.DONE, arm.status());
      assertTrue(arm.reopen().during().p99Millis() > 0, arm.toString());
      assertTrue(arm.merge().bytesWritten() > 0, arm.toString());
      assertNull(arm.noise());
      assertNull(arm.warmUp());
      assertNull(arm.instrument());
      assertNull(arm.slowReopens());
      assertNull(arm.merge().reads());
    }
    assertEquals(List.of(), run.slos());
    assertFalse(run.isNoisy());
  }

  @Test
  void report_ofTheFirstVersion_isRenderedAnew() throws Exception {
    RunFiles files = new RunFiles(directory);
    RunResult run = files.readRun();

    new HtmlReport().write(files);

    String page = Files.readString(files.reportHtml());
    assertTrue(page.contains("uncapped") && page.contains("cap=5MB/s"));
    assertFalse(page.contains("could not be read"), "every line of its files is understood");
    assertFalse(page.contains(">null<"), "what it did not measure is left out");
    String table = new ResultTable(false).render(run);
    assertTrue(table.contains("uncapped") && table.contains("cap=5MB/s"), table);
    assertFalse(table.contains("null"), table);
  }
}
