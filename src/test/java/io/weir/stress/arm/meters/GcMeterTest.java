package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.RunDirectoryPage;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcMeterTest {

  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private final Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(5));
  private final StringWriter out = new StringWriter();

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("gc.csv"), List.of(GcMeter.COLUMNS));
  }

  @Test
  void add_inEachPhase_isWrittenAndCountedThereByItsStart() throws Exception {
    timeline.mergeStarts(10 * SECOND);
    timeline.mergeEnded(20 * SECOND);
    timeline.endAt(30 * SECOND);
    try (ArmCsv lines = log("a, \"b\"", 2)) {
      GcMeter.Pauses log = new GcMeter.Pauses(timeline, lines);
      add(log, -1, 900 * MILLI);
      add(log, 3, 2 * MILLI);
      add(log, 10 * SECOND - 1, 7 * MILLI);
      add(log, 10 * SECOND, 4 * MILLI);
      add(log, 15 * SECOND, MILLI / 2);

      assertEquals(
          Values.builder()
              .put(pauses(Phase.BEFORE, 2, 9, 7))
              .put(pauses(Phase.DURING, 2, 4.5, 4))
              .put(pauses(Phase.AFTER, 0, 0, 0))
              .build(),
          log.values());
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
    try (ArmCsv lines = log("a", 1)) {
      GcMeter.Pauses log = new GcMeter.Pauses(timeline, lines);
      add(log, -5 * SECOND - 1, MILLI);
      add(log, SECOND, MILLI);

      assertEquals(pauses(Phase.BEFORE, 0, 0, 0), log.values());
    }
    assertEquals(1, out.toString().lines().count());
  }

  @Test
  void pauses_ofAPhaseThatWasNot_areNotKnown() throws Exception {
    timeline.endAt(SECOND);
    try (ArmCsv lines = log("a", 1)) {
      GcMeter.Pauses log = new GcMeter.Pauses(timeline, lines);
      assertEquals(Optional.empty(), log.values().get(ArmFigures.GC_PAUSES, Phase.DURING));
      assertEquals(Optional.empty(), log.values().get(ArmFigures.GC_PAUSES, Phase.AFTER));
    }
  }

  @Test
  void pauses_aHundred_haveAPercentile() throws Exception {
    timeline.endAt(1000 * SECOND);
    try (ArmCsv lines = log("a", 1)) {
      GcMeter.Pauses log = new GcMeter.Pauses(timeline, lines);
      for (int i = 1; i <= 99; i++) {
        add(log, i * SECOND, i * MILLI);
      }
      assertEquals(Optional.empty(), log.values().get(ArmFigures.GC_P99, Phase.BEFORE));
      add(log, 100 * SECOND, 5000 * MILLI);
      assertEquals(99, log.values().require(ArmFigures.GC_P99, Phase.BEFORE), 0.1);
      assertEquals(5000, log.values().require(ArmFigures.GC_LONGEST, Phase.BEFORE));
    }
  }

  @Test
  void add_collectionNotEnded_leavesItsCellsEmpty() throws Exception {
    try (ArmCsv lines = log("a", 1)) {
      GcMeter.Pauses log = new GcMeter.Pauses(timeline, lines);
      log.add(
          new GcEvents.Pause(
              timeline.onClock(7), 5, Optional.empty(), "Pause Remark", Optional.empty()));
    }
    assertEquals("a,1,before,7,5,,Pause Remark,", out.toString().lines().toList().get(1));
  }

  private static Values pauses(Phase phase, long count, double millis, double longestMillis) {
    return Values.builder()
        .put(ArmFigures.GC_PAUSES, phase, count)
        .put(ArmFigures.GC_PAUSED, phase, millis)
        .put(ArmFigures.GC_LONGEST, phase, longestMillis)
        .build();
  }

  private ArmCsv log(String arm, int round) throws IOException {
    return new ArmCsv(out, arm, round, GcMeter.COLUMNS);
  }

  private void add(GcMeter.Pauses log, long startNanos, long durationNanos) throws IOException {
    log.add(
        new GcEvents.Pause(
            timeline.onClock(startNanos),
            durationNanos,
            Optional.of("G1New"),
            "GC Pause",
            Optional.of("G1 Evacuation Pause")));
  }
}
