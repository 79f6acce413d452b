package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.run.RunFigure;
import io.weir.stress.plan.Slo;
import io.weir.stress.plan.Slo.Relation;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SloOptionTest {

  @ParameterizedTest
  @CsvSource({
    "reopen.p99 < 100ms, REOPEN_P99, LESS, 100",
    "reopen.p50<=1.5s, REOPEN_P50, AT_MOST, 1500",
    "Search.Max > 2 ms, SEARCH_MAX, GREATER, 2",
    "merge.seconds < 2m, MERGE_SECONDS, LESS, 120",
    "dirty.peak <16MB, DIRTY_PEAK, LESS, 16",
    "vectors.recall>0.9, VECTORS_RECALL, GREATER, 0.9",
    "vectors.recall >= 1, VECTORS_RECALL, AT_LEAST, 1",
    "dirty.peak < 1MiB, DIRTY_PEAK, LESS, 1.048576",
    "indexing.rate >= 49.5/s, INDEXING_RATE, AT_LEAST, 49.5",
    "gc.pause.max < 10ms, GC_PAUSE_MAX, LESS, 10",
    "gc.pause.total<=1s, GC_PAUSE_TOTAL, AT_MOST, 1000",
  })
  void parse_plainBound_isInTheFiguresUnit(
      String text, RunFigure figure, Relation relation, double bound) {
    assertEquals(
        new Slo(text, Optional.empty(), figure, relation, bound, Optional.empty()),
        SloOption.parse(text));
  }

  @Test
  void parse_armAndRatio_nameTwoArms() {
    assertEquals(
        new Slo(
            "cap=10MB/s : merge.seconds <= 1.2x stock, no merge",
            Optional.of("cap=10MB/s"),
            RunFigure.MERGE_SECONDS,
            Relation.AT_MOST,
            1.2,
            Optional.of("stock, no merge")),
        SloOption.parse(" cap=10MB/s : merge.seconds <= 1.2x stock, no merge "));
  }

  @Test
  void parse_whatIsNone_namesTheRule() {
    String rule =
        "slo must be [ARM:] FIGURE < BOUND, such as 'reopen.p99 < 100ms' or"
            + " 'weir: merge.seconds < 1.2x stock': ";
    assertRefused(rule + "''", "");
    assertRefused(rule + "'reopen.p99'", "reopen.p99");
    assertRefused(rule + "'reopen.p99 = 5ms'", "reopen.p99 = 5ms");
    assertRefused(rule + "'reopen.p99 <'", "reopen.p99 <");
    assertRefused(
        "slo knows the figures reopen.p50, reopen.p90, reopen.p99, reopen.max, reopen.mean,"
            + " visible.p50, visible.p90, visible.p99, visible.max, search.p50, search.p90, search.p99, search.max, commit.p99, commit.max, merge.seconds,"
            + " indexing.rate, vectors.recall, gc.pause.max, gc.pause.total, dirty.peak: 'reopen.p98 < 1s'",
        "reopen.p98 < 1s");
    assertRefused(
        "slo 'reopen.p99 < 100' must be a duration such as 10s, 500ms or 2m: 100",
        "reopen.p99 < 100");
    assertRefused(
        "slo 'vectors.recall > 90' must be a share from 0 to 1, such as 0.9: 90",
        "vectors.recall > 90");
    assertRefused("slo 'dirty.peak < 5ms' must be a size such as 16MB: 5ms", "dirty.peak < 5ms");
    assertRefused(
        "slo 'indexing.rate > 50' must be a rate such as 49.5/s: 50", "indexing.rate > 50");
    assertRefused(
        "slo must name another arm to compare with: 'a: reopen.max < 2x a'",
        "a: reopen.max < 2x a");
  }

  private static void assertRefused(String message, String text) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> SloOption.parse(text)).getMessage());
  }
}
