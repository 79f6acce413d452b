package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Collectors against each other, in JVMs that must collect often. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandGcTest {

  private static final String NO_RECORDER =
      "--limit-modules java.se,jdk.unsupported,jdk.management";

  @TempDir static Path shared;
  private static Path index;
  private static Path queries; // a run that is given some starts no JVM to draw them

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 3000);
    queries = SmallIndex.queries(index, shared.resolve("queries.txt"));
  }

  @Test
  void stress_twoCollectors_tellPausesAndNoCycles() throws Exception {
    WeirProcess.Ended ended =
        stress(
            "serial: jvm-args=-XX:+UseSerialGC -Xmx64m -Xmn2m",
            "zgc: jvm-args=-XX:+UseZGC -Xmx128m -XX:ZCollectionInterval=0.1",
            "bare: jvm-args=-Xmx128m " + NO_RECORDER);

    assertEquals(0, ended.exitCode(), ended.toString());
    RunFiles files = new RunFiles(temp.resolve("run"));
    RunSchema.assertValid(files.runJson());
    Run run = files.read();
    assertPauses(run.parts().get(0), "DefNew", ended);
    assertPauses(run.parts().get(1), "ZGC Minor,ZGC Major", ended);
    assertEquals(List.of(), warnings(run.parts().get(0)));
    assertEquals(List.of(), warnings(run.parts().get(1)));

    // The beans of ZGC count whole cycles as collection time; pauses are a small part of that.
    Part zgc = run.parts().get(1);
    double pausedMillis =
        pauses("zgc").stream().mapToLong(cells -> Long.parseLong(cells[4])).sum() / 1e6;
    assertTrue(
        pausedMillis < zgc.require(ArmFigures.GC_SECONDS) * 1e3 / 2,
        pausedMillis + " ms of " + zgc.require(ArmFigures.GC_SECONDS));

    Part bare = run.parts().get(2);
    assertEquals(Status.DONE, bare.status());
    assertEquals(Optional.empty(), bare.get(ArmFigures.GC_PAUSES, Phase.BEFORE));
    assertTrue(bare.require(ArmFigures.GC_COLLECTIONS) >= 0);
    assertEquals(1, warnings(bare).size(), bare.warnings().toString());
    assertEquals(0, pauses("bare").size());

    assertTrue(
        ended.out().contains("Pauses of the garbage collector during the merge"), ended.out());
    assertFalse(
        WeirProcess.tree(temp).stream().anyMatch(name -> name.contains("jfr")),
        () -> "the recorder left something");
    String series = Files.readString(files.seriesCsv());
    int column =
        List.of(series.lines().findFirst().orElseThrow().split(","))
            .indexOf("heap_committed_bytes");
    series
        .lines()
        .skip(1)
        .forEach(line -> assertTrue(line.split(",", -1)[column].matches("[1-9][0-9]{6,}"), line));
  }

  /** A JVM that crashes has its recorder leave a file, by default where the command was run. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void stress_anArmThatCrashes_leavesNothingOfTheRecorder() throws Exception {
    String arm =
        "crash: warmup=60s, jvm-args=-Xmx128m -XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null";
    try (WeirProcess weir = WeirProcess.start(temp, arguments(arm))) {
      weir.awaitProgress("arm crash (1 of 1): warming up");
      weir.signalChild("SEGV");
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      List<String> left = WeirProcess.tree(temp);
      assertFalse(left.stream().anyMatch(name -> name.contains("jfr")), left.toString());
    }
  }

  private void assertPauses(Part arm, String collectors, WeirProcess.Ended ended) throws Exception {
    assertEquals(Status.DONE, arm.status(), ended.toString());
    List<String[]> lines = pauses(arm.name());
    assertTrue(lines.size() > 3, () -> lines.size() + " pauses of " + arm.name());
    for (String[] cells : lines) {
      assertEquals("1", cells[1]);
      assertTrue(Long.parseLong(cells[4]) > 0, () -> String.join(",", cells));
      assertTrue(
          cells[5].isEmpty() || collectors.contains(cells[5]) || cells[5].equals("SerialOld"),
          () -> String.join(",", cells));
    }
    for (Phase phase : Phase.MEASURED) {
      List<String[]> ofPhase =
          lines.stream().filter(cells -> cells[2].equals(phase.label())).toList();
      assertEquals(ofPhase.size(), arm.require(ArmFigures.GC_PAUSES, phase), phase.label());
      assertEquals(
          ofPhase.stream().mapToLong(cells -> Long.parseLong(cells[4])).sum() / 1e6,
          arm.require(ArmFigures.GC_PAUSED, phase),
          1e-3);
      assertEquals(
          ofPhase.stream().mapToLong(cells -> Long.parseLong(cells[4])).max().orElse(0) / 1e6,
          arm.require(ArmFigures.GC_LONGEST, phase),
          1e-3);
    }
    assertFalse(arm.require(ArmFigures.GC_COLLECTORS).isEmpty());
    assertFalse(arm.require(ArmFigures.GC_COLLECTORS).contains("Pauses"), arm.toString());
  }

  /** Those about pauses; a busy machine adds others. */
  private static List<String> warnings(Part arm) {
    return arm.warnings().stream()
        .map(RunWarning::what)
        .filter(what -> what.startsWith("the pauses of the garbage collector are not known: "))
        .toList();
  }

  private List<String[]> pauses(String arm) throws Exception {
    return Files.readAllLines(temp.resolve("run/gc.csv")).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .filter(cells -> cells[0].equals(arm))
        .toList();
  }

  private WeirProcess.Ended stress(String... arms) throws Exception {
    return WeirProcess.run(temp, arguments(arms));
  }

  private String[] arguments(String... arms) {
    Stream<String> options =
        Stream.of(
            "stress --docs synthetic:3000 --warmup 1s --before 1s --after 1s --out run --index "
                .split(" "));
    return Stream.of(
            options,
            Stream.of(index.toString(), "--queries", queries.toString()),
            Stream.of(arms).flatMap(a -> Stream.of("--arm", a)))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }
}
