package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.merge.MergeKind;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.SlowCauses;
import io.weir.run.Status;
import io.weir.stress.Await;
import io.weir.stress.engine.SearchEngine;
import io.weir.stress.plan.Engine;
import io.weir.suite.Distribution;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code weir stress --engine} with real servers, where {@code tools/engine} has fetched them;
 * skipped elsewhere.
 */
@Slow("starts a real server for each arm")
@Timeout(value = 700, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandEngineIT {

  private static final String SMALL = "jvm-args=-Xms512m -Xmx512m";
  private static final String STOCK = "stock: preset=stock, " + SMALL;

  @TempDir static Path root;

  private Path temp;
  private Path home;

  /** Filled by the first run of the engine, and kept for others. */
  private Path kept;

  private Engine engine;

  @BeforeEach
  void openTemp() throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/self/cmdline")), "SKIPPED: looks at processes");
    temp = Files.createTempDirectory(root, "test");
    if (Files.getFileStore(root).supportsFileAttributeView("posix")) {
      // A server that does not run as root must be able to enter them.
      for (Path directory : List.of(root, temp)) {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  private void find(Engine searched) throws Exception {
    engine = searched;
    home = Distribution.of(searched.label());
    kept = root.resolve("kept-" + engine.label());
  }

  @Test
  void stress_onServersOfItsOwn_measuresAndLeavesNothingRunning() throws Exception {
    measuresAndLeavesNothingRunning(Engine.OPENSEARCH);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OPENSEARCH")
  @LongRun("the engines that stress_onServersOfItsOwn_measuresAndLeavesNothingRunning leaves out")
  void stress_onServersOfOtherEngines_measuresAndLeavesNothingRunning(Engine other)
      throws Exception {
    measuresAndLeavesNothingRunning(other);
  }

  /** A plug-in for vectors of OpenSearch is published for some of its versions. */
  @ParameterizedTest
  @EnumSource
  @LongRun("the text that stress_onServersOfItsOwn_measuresAndLeavesNothingRunning searches")
  void stress_vectorsInAnEngine_areSearchedAndHaveRecall(Engine searched) throws Exception {
    engine = searched;
    kept = root.resolve("kept-vectors-" + engine.label());
    home = Distribution.of(engine.label());
    if (engine == Engine.OPENSEARCH) {
      Path without = Distribution.of("opensearch", "3.5.0");
      home = without;
      WeirProcess.Ended refused = stress("refused", STOCK, "--vectors", "32");
      assertEquals(2, refused.exitCode(), refused.toString());
      assertTrue(
          refused
              .err()
              .contains(
                  "--engine-home %s has no plug-in opensearch-knn; vectors need it: bin/"
                      .formatted(without)),
          refused.toString());
      home = temp.resolve("with-knn");
      String plugin = "opensearch-knn-3.5.0.0";
      SearchEngine.of(engine)
          .copy(
              without,
              Optional.of(Distribution.of("opensearch-knn", "3.5.0.0").resolve(plugin + ".zip")),
              0,
              home);
    }

    List<String> formats =
        switch (engine) {
          case ELASTICSEARCH -> List.of("float", "int8", "int4", "binary");
          case OPENSEARCH -> List.of("float", "int8");
          case SOLR -> List.of("float");
        };
    List<String> more =
        new ArrayList<>(
            List.of(
                "--vectors",
                "64:50%",
                "--queries",
                "hybrid",
                "--engine-plugin",
                plugIn().toString()));
    for (String format : formats.subList(1, formats.size())) {
      more.addAll(List.of("--arm", "%1$s: vector-format=%1$s, %2$s".formatted(format, SMALL)));
    }

    WeirProcess.Ended ended = stress("vectors", "float: " + SMALL, more.toArray(String[]::new));

    assertEquals(0, ended.exitCode(), ended.toString());
    RunSchema.assertValid(temp.resolve("vectors/run.json"));
    List<Part> arms = new RunFiles(temp.resolve("vectors")).read().parts();
    assertEquals(formats, arms.stream().map(Part::name).toList());
    for (Part arm : arms) {
      assertEquals(Status.DONE, arm.status(), ended.toString());
      assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS));
      assertTrue(arm.require(ArmFigures.RECALL) > 0.4, arm.toString());
      assertTrue(arm.require(ArmFigures.RECALL) <= 1, arm.toString());
      assertEquals(2000, arm.require(ArmFigures.VECTORS), 100, arm.toString());
    }
    assertTrue(arms.getFirst().require(ArmFigures.RECALL) > 0.6, arms.toString());
    assertTrue(ended.out().contains("recall@10"), ended.toString());
    assertHasFiles(formats);
  }

  /** What each format writes beside the floats, by the suffixes of Lucene's files. */
  private void assertHasFiles(List<String> formats) throws IOException {
    for (String format : formats) {
      Path data =
          format.equals("float") ? kept : kept.resolveSibling(kept.getFileName() + "-" + format);
      String files = filesOfSegments(data);
      assertTrue(files.contains(".vec"), files);
      assertEquals(format.startsWith("int"), files.contains(".veq"), format + ": " + files);
      assertEquals(format.equals("binary"), files.contains(".veb"), format + ": " + files);
    }
  }

  /** Their names, and those in the lists of compound files. */
  private static String filesOfSegments(Path directory) throws IOException {
    StringBuilder names = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        names.append(file.getFileName()).append('\n');
        if (file.toString().endsWith(".cfe")) {
          names.append(Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return names.toString();
  }

  private void measuresAndLeavesNothingRunning(Engine searched) throws Exception {
    find(searched);
    WeirProcess.Ended ended = stress("first", STOCK);

    assertEquals(0, ended.exitCode(), ended.toString());
    Run run = new RunFiles(temp.resolve("first")).read();
    RunSchema.assertValid(temp.resolve("first/run.json"));
    assertEquals("4000", run.workload().get("documents"));
    Part arm = run.parts().getFirst();
    assertEquals(Status.DONE, arm.status(), ended.toString());
    assertTrue(
        arm.settings().get("engine").startsWith(engine.label() + " "), arm.settings().toString());
    assertTrue(Integer.parseInt(arm.settings().get("segments")) > 2, arm.settings().toString());
    assertEquals(shards(), arm.settings().get("shards"));
    assertTrue(MergeFigures.isMerged(arm), arm.toString());
    assertNoWarningOfThePlugIn(arm);
    assertTrue(arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count() >= 7, arm.toString());
    assertTrue(arm.latency(ArmFigures.VISIBLE, Phase.BEFORE).count() > 0, arm.toString());
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS));
    assertTrue( // not during the merge, which a fast disk ends before an update is due
        arm.latency(ArmFigures.UPDATE.latency(), Phase.BEFORE).count() > 0, arm.toString());
    assertTrue(ended.out().contains("Visibility latency"), ended.toString());
    assertTrue(Files.exists(temp.resolve("first/report.html")));
    assertTrue(Files.exists(temp.resolve("first/server-stock-1.log")));
    assertEquals(List.of(), servers());
    assertEquals(List.of("data", "weir-stress.json"), names(kept));

    // Once more with the same index: nothing is filled, and the copy of the first run is not met.
    WeirProcess.Ended again =
        stress(
            "second",
            "weir: cap=40MB/s, " + SMALL,
            "--queries",
            "mixed",
            "--slow-reopen-over",
            "1ms",
            "--engine-plugin",
            plugIn().toString());

    assertEquals(0, again.exitCode(), again.toString());
    Run withWeir = new RunFiles(temp.resolve("second")).read();
    RunSchema.assertValid(temp.resolve("second/run.json"));
    Part second = withWeir.parts().getFirst();
    assertEquals(arm.settings().get("segments"), second.settings().get("segments"));
    assertTrue(!Files.exists(temp.resolve("second/server-filling-0.log")), "it was filled again");
    assertReportsWhatThePlugInSays(second);
    assertEquals("mixed", withWeir.values().require(HeaderFigures.QUERIES_KIND));
    assertTrue(second.require(ArmFigures.SEARCHES) > 0, again.toString());
  }

  private void assertReportsWhatThePlugInSays(Part arm) {
    assertEquals("40MB/s", arm.settings().get("cap"));
    Part merge = arm;
    assertTrue(merge.require(MergeFigures.BYTES_CHARGED) > 100_000, merge.toString());
    long forced = merge.require(MergeFigures.MERGES, MergeKind.FORCED);
    long natural = merge.require(MergeFigures.MERGES, MergeKind.NATURAL);
    assertTrue(forced >= 1, merge.toString());
    assertTrue( // a natural merge that already runs may leave its shard nothing to force
        forced + natural >= Integer.parseInt(shards()), merge.toString());
    Stream<SlowCauses.Cause> causes =
        Stream.of(Phase.BEFORE, Phase.DURING, Phase.AFTER)
            .flatMap(phase -> arm.require(ArmFigures.SLOW_CAUSES, phase).list().stream());
    assertTrue(causes.anyMatch(cause -> !cause.cause().equals("unknown")), arm.toString());
    assertNoWarningOfThePlugIn(arm);
  }

  private static void assertNoWarningOfThePlugIn(Part arm) {
    assertEquals(
        List.of(), arm.warnings().stream().filter(w -> w.what().contains("plug-in")).toList());
  }

  /** As the build has packaged it. */
  private Path plugIn() {
    String name =
        "weir-%s-%s%s"
            .formatted(
                engine.label(),
                System.getProperty("weir.version"),
                engine == Engine.SOLR
                    ? ".jar"
                    : "-for-"
                        + System.getProperty(
                            engine.label() + (engine == Engine.OPENSEARCH ? ".line" : ".version"))
                        + ".zip");
    return Path.of("target", name).toAbsolutePath();
  }

  /** As when the kernel does it for lack of memory. */
  @Test
  void stress_whoseServerIsKilledUnderLoad_saysSo() throws Exception {
    saysThatItsServerIsKilled(Engine.SOLR);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOLR")
  @LongRun("the engines that stress_whoseServerIsKilledUnderLoad_saysSo leaves out")
  void stress_whoseServerOfAnotherEngineIsKilledUnderLoad_saysSo(Engine other) throws Exception {
    saysThatItsServerIsKilled(other);
  }

  private void saysThatItsServerIsKilled(Engine searched) throws Exception {
    find(searched);
    try (WeirProcess weir = WeirProcess.start(temp, arguments("dead", STOCK))) {
      weir.awaitProgress("before the merge");
      servers().forEach(ProcessHandle::destroyForcibly);

      WeirProcess.Ended ended = weir.await();

      assertTrue(
          ended.toString().contains("ended with exit code 137 (it was killed"), ended.toString());
    }
  }

  @Test
  void stress_killed_takesItsServerAlong() throws Exception {
    takesItsServerAlong(Engine.SOLR);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOLR")
  @LongRun("the engines that stress_killed_takesItsServerAlong leaves out")
  void stress_ofAnotherEngineKilled_takesItsServerAlong(Engine other) throws Exception {
    takesItsServerAlong(other);
  }

  private void takesItsServerAlong(Engine searched) throws Exception {
    find(searched);
    kept = temp.resolve("never-filled");
    try (WeirProcess weir = WeirProcess.start(temp, arguments("killed", STOCK))) {
      Await.until("a server runs", () -> !servers().isEmpty());
      List<ProcessHandle> all = weir.children();
      ProcessHandle[] worker =
          all.stream()
              .filter(child -> child.parent().filter(parent -> !all.contains(parent)).isPresent())
              .toArray(ProcessHandle[]::new);
      assertEquals(1, worker.length);
      weir.signal("KILL", worker);
      weir.await();
    }

    Await.until("the server has ended", () -> servers().isEmpty());
  }

  private WeirProcess.Ended stress(String out, String arm, String... more) throws Exception {
    try (WeirProcess weir = WeirProcess.start(temp, arguments(out, arm, more))) {
      return weir.await();
    }
  }

  private String[] arguments(String out, String arm, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "stress",
                "--engine",
                engine.label(),
                "--engine-home",
                home.toString(),
                "--arm",
                arm,
                "--shards",
                shards(),
                "--docs",
                "synthetic:4000",
                "--index",
                kept.toString(),
                "--out",
                out,
                "--warmup",
                "1s",
                "--before",
                "2s",
                "--after",
                "1s"));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  /** A core of Solr is one. */
  private String shards() {
    return engine == Engine.SOLR ? "1" : "2";
  }

  /** The processes of servers whose files are here. */
  private List<ProcessHandle> servers() {
    return ProcessHandle.allProcesses().filter(this::isServer).toList();
  }

  private boolean isServer(ProcessHandle process) {
    try { // the handle's own text is cut after 4 KiB
      String command = Files.readString(Path.of("/proc", process.pid() + "", "cmdline"));
      return (command.contains("path.home") || command.contains("weir.data"))
          && command.contains(root.toString());
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("write.lock"))
          .sorted()
          .toList();
    }
  }
}
