package io.weir.load.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.jvm.ScriptedJvm;
import io.weir.jvm.WorkerJvm;
import io.weir.load.QuickStep;
import io.weir.load.plan.TargetUrl;
import io.weir.load.server.ServerMain;
import io.weir.run.RunWarning;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {

  private static final long SECOND = 1_000_000_000L;

  @TempDir Path temp;

  private final AutoClock clock = new AutoClock();

  private static ServerMain.Mark mark(long nanos, long part, long open) {
    return new ServerMain.Mark(
        nanos,
        4 * part,
        2,
        Optional.of(part),
        6 * part,
        Optional.of(1000 * part),
        Optional.empty(),
        Optional.of(part),
        open);
  }

  private static Service.Look look(long nanos, long part) {
    return new Service.Look(nanos, Optional.of(mark(nanos, part, 0)), Optional.empty());
  }

  /** A step of 10 s that was answered at 20 a second. */
  private static Values seen(long unanswered) {
    return QuickStep.of(1000)
        .put(StepFigures.UNANSWERED, unanswered)
        .put(StepFigures.SECOND_HALF_ANSWERED, 100L)
        .build();
  }

  @Test
  void since_twoLooks_isWhatWasUsedBetweenThem() {
    Values use =
        look(11 * SECOND, 2 * SECOND)
            .since(look(SECOND, SECOND), Optional.of(70.0), 0, OptionalInt.of(3));

    assertEquals(Optional.of(70.0), use.get(StepFigures.MACHINE));
    assertEquals(Optional.of(20.0), use.get(StepFigures.SERVER), "4 s of 2 processors in 10 s");
    assertEquals(Optional.of(5.0), use.get(StepFigures.COLLECTOR));
    assertEquals(Optional.of(10.0), use.get(StepFigures.MERGING));
    assertEquals(Optional.of(20.0), use.get(StepFigures.THREADS), "6 s of 3 threads");
    assertEquals(Optional.of(100.0 * SECOND), use.get(StepFigures.READ));
    assertEquals(Optional.empty(), use.get(StepFigures.DISK));
    assertEquals(Optional.empty(), use.get(StepFigures.PAUSED));
  }

  /** What the client gave up would be part of the next load. */
  @Test
  @Slow("starts a process")
  @DisabledOnOs(OS.WINDOWS)
  void settle_withRequestsOpen_waitsUntilTheServerHasDoneThem() throws Exception {
    try (WorkerJvm jvm = answering(3, 2, 0)) {
      assertEquals(Optional.empty(), own(jvm).settle(seen(3), () -> false));
      assertEquals(2 * SECOND / 10, clock.nanoTime());
    }
  }

  @Test
  @Slow("starts a process")
  @DisabledOnOs(OS.WINDOWS)
  void settle_withAServerThatGetsOnWithNothing_warns() throws Exception {
    String answer = ScriptedJvm.saying(mark(0, 0, 5));
    try (WorkerJvm jvm = script("while read line; do %s; done".formatted(answer))) {
      RunWarning warning = own(jvm).settle(seen(5), () -> false).orElseThrow();

      assertTrue(warning.what().contains("on 5 requests"), warning.toString());
      assertEquals(302, clock.nanoTime() * 10 / SECOND, 2);
    }
  }

  @Test
  void settle_ofAForeignService_waitsAsLongAsItNeedsAtItsRate() {
    Service service =
        Service.Foreign.of(TargetUrl.parse("http://127.0.0.1:1/search"), clock, () -> Values.NONE);

    assertEquals(Optional.empty(), settle(service, 0));
    assertEquals(0, clock.nanoTime());
    assertTrue(settle(service, 100).orElseThrow().what().contains("gave up 100 requests"));
    assertEquals(5 * SECOND, clock.nanoTime());
  }

  private static Optional<RunWarning> settle(Service service, long unanswered) {
    try {
      return service.settle(seen(unanswered), () -> false);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Its processors and disks are not ours. */
  @Test
  void look_atAServiceOnAnotherMachine_seesNoneOfOurs() throws Exception {
    Service service =
        Service.Foreign.of(
            TargetUrl.parse("http://192.0.2.1:9200/a/_search"), clock, () -> Values.NONE);

    assertEquals(Optional.empty(), service.machinePercent());
    assertEquals(Optional.empty(), service.look().diskStalledMicros());
  }

  private Service own(WorkerJvm jvm) {
    return new Service.Own(jvm, TargetUrl.parse("http://127.0.0.1:1"), clock);
  }

  private WorkerJvm answering(int... open) throws Exception {
    StringBuilder script = new StringBuilder();
    for (int each : open) {
      script.append("read line; %s;".formatted(ScriptedJvm.saying(mark(0, 0, each))));
    }
    return script(script + "read line");
  }

  private WorkerJvm script(String script) throws Exception {
    return ScriptedJvm.start(temp, "read task; " + script);
  }
}
