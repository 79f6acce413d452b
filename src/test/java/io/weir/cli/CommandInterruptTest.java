package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.Status;
import io.weir.stress.BusyMachine;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ctrl-C in a run, and worse than Ctrl-C, with all processes that take part. What of it is the
 * frame of every kind of run is in {@code ExperimentTest}, what is the arm's in {@code ArmRunTest},
 * how a JVM ends in {@code WorkerJvmTest}.
 */
@Slow("starts the command line, which starts a JVM for each arm")
@DisabledOnOs(OS.WINDOWS)
class CommandInterruptTest {

  /** From the signal to the last thread; a promise to who waits at a terminal. */
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir static Path shared;
  @TempDir static Path drawn;
  private static Path index;
  private static Path queries; // a run that is given some starts no JVM to draw them

  @TempDir Path temp;
  private String printed; // of the last interrupted command, on standard output

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 3000);
    queries = SmallIndex.queries(index, drawn.resolve("queries.txt"));
  }

  /** It blamed the documents. */
  @Test
  void end_ofTheBuilderFromOutside_saysThatAndLeavesNothing() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(
            temp, "stress --docs synthetic:150000 --index kept --out run".split(" "))) {
      weir.awaitProgress("building the index");
      weir.child().destroy();
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("weir: building the index failed: another process stopped its JVM"),
          ended.toString());
      assertEquals(List.of(), WeirProcess.tree(temp));
    }
  }

  /** A terminal sends it to every process: the arm's JVM then ends on its own account. */
  @Test
  void interrupt_ofParentAndChildAtOnce_leavesTheSame() throws Exception {
    try (WeirProcess weir = start("slow: cap=20KB/s, warmup=0s, before=1s")) {
      weir.awaitProgress("arm slow (1 of 1): merging");

      assertMerging(onlyArm(interrupt(weir, weir.child())));
    }
  }

  /** What was there before the run is there after it: here a directory, and empty. */
  @Test
  void interrupt_ofParentAndChildWhileBuilding_leavesTheSame() throws Exception {
    Files.createDirectory(temp.resolve("mine"));
    try (WeirProcess weir =
        WeirProcess.start(
            temp, "stress --docs synthetic:150000 --index mine --out run".split(" "))) {
      weir.awaitProgress("building the index");

      Run run = interrupt(weir, weir.child());

      assertEquals(List.of(), run.parts());
      assertTrue(printed.startsWith("The run was interrupted"), printed); // no tables
      assertFalse(run.workload().containsKey("documents"), "none were counted");
      assertEquals(
          List.of("mine/", "run/report.html", "run/report.svg", "run/run.json"),
          WeirProcess.tree(temp));
    }
  }

  private WeirProcess start(String... arms) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("stress", "--docs", "synthetic:3000"));
    arguments.addAll(List.of("--index", index.toString(), "--out", "run"));
    arguments.addAll(List.of("--queries", queries.toString()));
    for (String arm : arms) {
      arguments.addAll(List.of("--arm", arm));
    }
    return WeirProcess.start(temp, arguments.toArray(String[]::new));
  }

  /** Presses Ctrl-C, and checks what must be so at whatever moment it comes. */
  private Run interrupt(WeirProcess weir, ProcessHandle... others) throws Exception {
    List<ProcessHandle> children = weir.children();
    assertEquals(1, children.size());
    Instant pressed = Instant.now();
    weir.signal("INT", others);
    WeirProcess.Ended ended = weir.await();

    assertSoon(pressed);
    assertEquals(130, ended.exitCode(), ended.toString());
    assertTrue(
        ended.err().contains("weir: interrupted; what was measured until then is in the report"),
        ended.toString());
    assertTrue(ended.out().contains("The run was interrupted"), ended.toString());
    printed = ended.out();
    children.forEach(child -> assertTrue(!child.isAlive(), ended::toString));
    assertTrue(Files.size(temp.resolve("run/report.html")) > 10_000);
    assertTrue(
        WeirProcess.tree(temp.resolve("run")).stream().noneMatch(name -> name.startsWith(".")),
        () -> "scratch is left");
    // Arms with resident ids start from an index of their own, beside the one that was given.
    Set<String> left = new TreeSet<>(List.of(shared.toFile().list()));
    left.remove("index-resident");
    assertEquals(Set.of("index"), left, "copies are left");
    RunSchema.assertValid(temp.resolve("run/run.json"));
    Run run = new RunFiles(temp.resolve("run")).read();
    assertTrue(run.interrupted());
    assertNotNull(run.environment());
    return run;
  }

  private static Part onlyArm(Run run) {
    assertEquals(1, run.parts().size());
    Part arm = run.parts().get(0);
    assertEquals(Status.INTERRUPTED, arm.status());
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(arm.warnings()));
    return arm;
  }

  private static void assertMerging(Part arm) {
    assertEquals(arm.require(MergeFigures.BYTES_WRITTEN), arm.require(MergeFigures.BYTES_CHARGED));
    assertTrue(arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count() > 0);
    assertTrue(arm.get(ArmFigures.PHASE_SECONDS, Phase.DURING).isPresent());
    assertEquals(Optional.empty(), arm.get(ArmFigures.PHASE_SECONDS, Phase.AFTER));
  }

  private static void assertSoon(Instant since) {
    Duration taken = Duration.between(since, Instant.now());
    assertTrue(taken.compareTo(SOON) < 0, taken::toString);
  }
}
