package io.weir.stress.arm.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.fakes.AutoClock;
import io.weir.stress.RunDirectoryPage;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.Phases;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcPauseLogTest {

  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private final Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(5));
  private final StringWriter out = new StringWriter();

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("gc.csv"), List.of(GcPauseLog.COLUMNS));
  }

  @Test
  void add_inEachPhase_isWrittenAndCountedThereByItsStart() throws Exception {
    timeline.mergeStarts(10 * SECOND);
    timeline.mergeEnded(20 * SECOND);
    timeline.endAt(30 * SECOND);
    try (GcPauseLog log = new GcPauseLog(timeline, "a, \"b\"", 2, out)) {
      add(log, -1, 900 * MILLI);
      add(log, 3, 2 * MILLI);
      add(log, 10 * SECOND - 1, 7 * MILLI);
      add(log, 10 * SECOND, 4 * MILLI);
      add(log, 15 * SECOND, MILLI / 2);

      assertEquals(
          new Phases<>(
              new GcPauses(2, 9, 7, null),
              new GcPauses(2, 4.5, 4, null),
              new GcPauses(0, 0, 0, null)),
          log.pauses());
    }
    assertEquals(
        List.of(
            "arm,round,phase,start_nanos,duration_nanos,collector,name,cause",
            "\"a, \"\"b\"\"\",2,warmup,-1,900000000,G1New,GC Pause,G1 Evacuation Pause",
            "\"a, \"\"b\"\"\",2,before,3,2000000,G1New,GC Pause,G1 Evacuation Pause",
            "\"a, \"\"b\"\"\",2,before,9999999999,7000000,G1New,GC Pause,G1 Evacuation Pause",
            "\"a, \"\"b\"\"\",2,during,10000000000,4000000,G1New,GC Pause,G1 Evacuation Pause",
            "\"a, \"\"b\"\"\",2,during,15000000000,500000,G1New,GC Pause,G1 Evacuation Pause"),
        out.toString().lines().toList());
  }

  @Test
  void add_withoutLoad_isPassedOver() throws Exception {
    timeline.endAt(SECOND);
    try (GcPauseLog log = new GcPauseLog(timeline, "a", 1, out)) {
      add(log, -5 * SECOND - 1, MILLI);
      add(log, SECOND, MILLI);

      assertEquals(new GcPauses(0, 0, 0, null), log.pauses().before());
    }
    assertEquals(1, out.toString().lines().count());
  }

  @Test
  void pauses_ofAPhaseThatWasNot_areNotKnown() throws Exception {
    timeline.endAt(SECOND);
    try (GcPauseLog log = new GcPauseLog(timeline, "a", 1, out)) {
      assertNull(log.pauses().during());
      assertNull(log.pauses().after());
    }
  }

  @Test
  void pauses_aHundred_haveAPercentile() throws Exception {
    timeline.endAt(1000 * SECOND);
    try (GcPauseLog log = new GcPauseLog(timeline, "a", 1, out)) {
      for (int i = 1; i <= 99; i++) {
        add(log, i * SECOND, i * MILLI);
      }
      assertNull(log.pauses().before().p99Millis());
      add(log, 100 * SECOND, 5000 * MILLI);
      assertEquals(99, log.pauses().before().p99Millis(), 0.1);
      assertEquals(5000, log.pauses().before().longestMillis());
    }
  }

  @Test
  void add_collectionNotEnded_leavesItsCellsEmpty() throws Exception {
    try (GcPauseLog log = new GcPauseLog(timeline, "a", 1, out)) {
      log.add(new GcPause(timeline.onClock(7), 5, null, "Pause Remark", null));
    }
    assertEquals("a,1,before,7,5,,Pause Remark,", out.toString().lines().toList().get(1));
  }

  private void add(GcPauseLog log, long startNanos, long durationNanos) throws IOException {
    log.add(
        new GcPause(
            timeline.onClock(startNanos),
            durationNanos,
            "G1New",
            "GC Pause",
            "G1 Evacuation Pause"));
  }
}
