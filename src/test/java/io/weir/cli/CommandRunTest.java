package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.merge.MergeKind;
import io.weir.procfs.Procfs;
import io.weir.report.SampleRun;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunSchema;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import io.weir.stress.BusyMachine;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs that end by themselves, well or not. */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandRunTest {

  private static final String[] QUICK = {
    "--warmup", "300ms", "--before", "400ms", "--after", "300ms"
  };

  @TempDir static Path shared;
  @TempDir static Path drawn;
  private static Path index;
  private static Path queries; // a run that is given some starts no JVM to draw them

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 3000);
    queries = SmallIndex.queries(index, drawn.resolve("queries.txt"));
  }

  @Test
  void stress_twoArms_leavesAWholeRunAndNothingElse() throws Exception {
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            "stress --docs synthetic:3000 --warmup 1s --before 1s --after 1s --index kept --out run"
                .split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals(
        List.of(
            "gc.csv",
            "queries.txt",
            "reopens-stock-1.hlog",
            "reopens-weir-1.hlog",
            "reopens.csv",
            "report.html",
            "report.svg",
            "run.json",
            "searches-stock-1.hlog",
            "searches-weir-1.hlog",
            "series.csv",
            "slow-reopens.csv",
            "slow-reopens.txt"),
        WeirProcess.tree(temp.resolve("run")));
    assertEquals(
        List.of("kept", "kept-resident", "run"), // what these two arms start from
        List.of(temp.toFile().list()).stream().sorted().toList());
    Run run = run("run");
    assertFalse(run.interrupted());
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(run.warnings()));
    assertEquals("3000", run.workload().get("documents"));
    assertEquals("synthetic:3000", run.workload().get("docs"));
    assertEquals("forced", run.workload().get("merge"), "an option that arms have as a setting");
    assertFalse(run.workload().containsKey("cap"), "a setting of arms alone");
    assertEquals("stress", run.command().get(0));
    assertEquals(List.of("stock", "weir"), run.parts().stream().map(Part::name).toList());
    for (Part arm : run.measured().toList()) {
      assertEquals(Status.DONE, arm.status());
      Part merge = arm;
      assertTrue(merge.require(MergeFigures.BYTES_WRITTEN) > 1_000_000, merge.toString());
      assertEquals(List.of(), BusyMachine.withoutItsWarnings(arm.warnings()));
      // One turn is due every 5 ms.
      assertTrue(
          arm.latency(ArmFigures.HICCUPS, Phase.DURING).count()
              > 100 * arm.require(ArmFigures.PHASE_SECONDS, Phase.DURING),
          arm.toString());
      assertTrue(arm.require(ArmFigures.NOISE_CONTROL).count() > 500, arm.toString());
      assertTrue(arm.require(ArmFigures.SEARCHES) > 20, arm.toString());
      assertEquals(Optional.empty(), arm.get(ArmFigures.COMMIT.asked(), Phase.BEFORE));
      assertEquals(50, arm.require(ArmFigures.SLOW_THRESHOLD));
      assertTrue(ended.out().contains(arm.name()), ended.toString());
    }
    Part weir = run.parts().get(1);
    assertEquals(
        weir.require(MergeFigures.BYTES_WRITTEN), weir.require(MergeFigures.BYTES_CHARGED));
    // On a busy machine the forced merge may find a natural one that merges all, and waits for it.
    long forced = weir.require(MergeFigures.MERGES, MergeKind.FORCED);
    long natural = weir.require(MergeFigures.MERGES, MergeKind.NATURAL);
    assertTrue(forced + natural >= 1, weir.toString());
    assertEquals(0, weir.require(MergeFigures.PAUSES, MergeKind.CRITICAL), weir.toString());
    assertEquals(0, weir.require(MergeFigures.CAP_LIFTS), weir.toString());
    assertTrue(ended.err().contains("index: building the index"), ended.toString());
    assertTrue(ended.err().contains("arm weir (2 of 2): "), ended.toString());
    assertTrue(ended.err().endsWith("report: run/report.html\n"), ended.toString());
    assertEquals(1, headers("reopens.csv"));
    assertEquals(1, headers("series.csv"));
    assertEquals(1, headers("gc.csv"));
    assertEquals(1, headers("slow-reopens.csv"));
    assertEquals("terms", run.values().require(HeaderFigures.QUERIES_KIND));
    assertEquals(2000, run.values().require(HeaderFigures.QUERIES_COUNT));

    Files.delete(temp.resolve("run/report.html"));
    WeirProcess.Ended again = WeirProcess.run(temp, "report", "run");
    assertEquals(0, again.exitCode(), again.toString());
    assertEquals(ended.out(), again.out());
    assertTrue(Files.size(temp.resolve("run/report.html")) > 10_000);
  }

  /** What engines do, in the whole: soft deletes in compound files, Weir beside stock Lucene. */
  @Test
  void stress_softUpdatesOfCompoundFiles_startFromIndexesThatAreSo() throws Exception {
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            arguments(
                "--docs",
                "synthetic:1000",
                "--index",
                "kept",
                "--mode",
                "soft-update",
                "--check-index",
                "--arm",
                "stock: preset=stock, compound=always",
                "--arm",
                "weir: compound=always"));

    assertEquals(0, ended.exitCode(), ended.toString());
    Run run = run("run");
    for (String suffix : List.of("-compound", "-resident-compound")) {
      try (Directory directory = FSDirectory.open(temp.resolve("kept" + suffix))) {
        assertTrue(
            SegmentInfos.readLatestCommit(directory).asList().stream()
                .allMatch(segment -> segment.info.getUseCompoundFile()),
            suffix);
      }
      assertTrue(run.workload().containsKey("indexBytes" + suffix), run.workload().toString());
    }
    for (Part arm : run.measured().toList()) {
      assertEquals(Status.DONE, arm.status(), arm.toString());
      assertEquals(1000, arm.require(ArmFigures.CHECKED_DOCUMENTS), arm.name());
      assertEquals("soft-update", arm.settings().get("mode"));
      assertEquals("always", arm.settings().get("compound"));
    }
  }

  @Test
  void stress_keptIndexAndJson_buildsNothingAndPrintsTheFile() throws Exception {
    Set<String> before = Set.of(shared.toFile().list()); // perhaps an index that another test left
    WeirProcess.Ended ended =
        quick("--json", "--commits-per-minute", "600", "--arm", "stock: preset=stock");

    assertEquals(0, ended.exitCode(), ended.toString());
    assertFalse(ended.err().contains("building"), ended.toString());
    JsonNode printed = new ObjectMapper().readTree(ended.out());
    assertEquals(new ObjectMapper().readTree(temp.resolve("run/run.json").toFile()), printed);
    assertEquals("done", printed.at("/parts/0/status").asText());
    assertTrue(printed.at("/parts/0/values/merge.bytesCharged").isMissingNode());
    assertTrue(printed.at("/parts/0/values/merge.pauses.forced.merges").isMissingNode());
    assertTrue(printed.at("/parts/0/values/merge.capLifts").isMissingNode());
    assertEquals("600", printed.at("/parts/0/settings/commits-per-minute").asText());
    assertEquals(10, printed.at("/parts/0/values/commit.before.askedPerSecond").asDouble());
    assertTrue(
        printed.at("/parts/0/values/commit.before.latency/count").asLong() >= 3, ended.toString());
    assertEquals(before, Set.of(shared.toFile().list()), "no copies are left");
  }

  @Test
  void stress_aBadLineInTheDocuments_warnsWhereItIsAndGoesOn() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 200; i++) {
      lines.append(
          i == 7 ? "bad line\n" : "title %d\t15-JAN-2001 00:00:00.000\tword %d\n".formatted(i, i));
    }
    Files.writeString(temp.resolve("docs.txt"), lines);

    WeirProcess.Ended ended =
        WeirProcess.run(temp, arguments("--docs", "docs.txt", "--arm", "a: cap=off"));

    assertEquals(0, ended.exitCode(), ended.toString());
    String place = temp.resolve("docs.txt") + ":7: ";
    assertTrue(
        ended.err().contains("weir: 1 place in the documents is malformed; the first: "),
        ended.toString());
    assertTrue(ended.err().contains(place), ended.toString());
    assertTrue(run("run").warnings().get(0).what().contains(place));
    assertEquals("199", run("run").workload().get("documents"));
  }

  /** The index is kept, and would be compared with one of other documents. */
  @Test
  void stress_documentsChangedSinceTheIndexWasBuilt_warns() throws Exception {
    Path documents = temp.resolve("docs.txt");
    Files.writeString(documents, "title\t15-JAN-2001 00:00:00.000\tsome words\n".repeat(300));
    String[] arguments =
        arguments("--docs", "docs.txt", "--index", "kept", "--arm", "a: preset=stock");
    assertEquals(0, WeirProcess.run(temp, arguments).exitCode());
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(run("run").warnings()));
    Files.move(temp.resolve("run"), temp.resolve("first"));

    Files.writeString(documents, "title\t15-JAN-2001 00:00:00.000\tother words\n".repeat(200));
    WeirProcess.Ended again = WeirProcess.run(temp, arguments);
    assertEquals(0, again.exitCode(), again.toString());
    assertTrue(
        run("run").warnings().get(0).what().startsWith("the documents have changed since"),
        again.toString());
  }

  /** The files of the first run, and the index it kept, were documents of the second. */
  @Test
  void stress_docsOfTheWorkingDirectory_areTheSameInTheSecondRun() throws Exception {
    for (int i = 0; i < 20; i++) {
      Files.writeString(temp.resolve("text-" + i), "some words\n");
    }
    List<WeirProcess.Ended> runs = new ArrayList<>();
    for (String name : List.of("first", "second")) {
      runs.add(
          WeirProcess.run(
              temp,
              arguments("--docs", ".", "--index", "kept-" + name, "--arm", "a: preset=stock")));
      assertEquals(0, runs.getLast().exitCode(), runs.getLast().toString());
      Files.move(temp.resolve("run"), temp.resolve(name));
    }
    assertEquals(
        List.of("20", "20"),
        List.of(
            run("first").workload().get("documents"), run("second").workload().get("documents")),
        runs.toString());
    assertEquals(
        List.of(
            "weir: not taken for documents, as Weir made them: "
                + temp.resolve("first")
                + ", "
                + temp.resolve("kept-first")),
        runs.get(1).err().lines().filter(line -> line.contains("not taken")).toList());
  }

  @Test
  void stress_nothingButBadLines_isRefusedAndLeavesNothing() throws Exception {
    Files.writeString(
        temp.resolve("docs.txt"), "FIELDS_HEADER_INDICATOR###\ttitle\tdate\tbody\nbad line\n");

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "stress", "--docs", "docs.txt", "--out", "runs/one");

    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(
        ended
            .err()
            .contains(
                "weir: --docs must hold at least 1 document that can be read: "
                    + temp.resolve("docs.txt")),
        ended.toString());
    assertEquals(List.of("docs.txt"), WeirProcess.tree(temp));
  }

  @Test
  void stress_anArmWhoseJvmDoesNotStart_failsAloneAndSaysWhy() throws Exception {
    WeirProcess.Ended ended =
        quick(
            "--arm",
            "flag: jvm-args=-XX:+NoSuchFlag",
            "--arm",
            "heap: jvm-args=-Xms64m -Xmx9m",
            "--arm",
            "path: jvm=" + WeirProcess.javaThatIsGoneAfterItsVersion(temp),
            "--arm",
            "good: cap=off, jvm-args=-Xmx256m");

    assertEquals(1, ended.exitCode(), ended.toString());
    Run run = run("run");
    assertFailed(run.parts().get(0), "exit code 1", "NoSuchFlag", ended);
    assertFailed(run.parts().get(1), "exit code 1", "heap size", ended);
    assertFailed(run.parts().get(2), "could not be run: ", null, ended);
    assertEquals(Optional.empty(), run.parts().get(2).failure().orElseThrow().exitCode());
    assertEquals(Status.DONE, run.parts().get(3).status(), ended.toString());
    assertEquals(1, headers("reopens.csv"));
    assertTrue(Files.exists(temp.resolve("run/report.html")));
    assertEquals(
        List.of("index", "index-resident"),
        List.of(shared.toFile().list()).stream().sorted().toList());
  }

  @Test
  void stress_anArmThatIsKilled_failsAndTheNextOneRuns() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(
            temp, quickArguments("--arm", "victim: warmup=30s", "--arm", "next: cap=off"))) {
      weir.awaitProgress("arm victim (1 of 2): warming up");
      weir.child().destroyForcibly();
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      Run run = run("run");
      assertFailed(run.parts().get(0), "its JVM was ended by signal 9", null, ended);
      assertEquals(Optional.of(137), run.parts().get(0).failure().orElseThrow().exitCode());
      assertEquals(Status.DONE, run.parts().get(1).status());
      assertFalse(run.interrupted());
    }
  }

  /** It was exit code 0, as if all was well. */
  @Test
  void stress_anArmThatIsToldToStopFromOutside_isNoSuccess() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(temp, quickArguments("--arm", "victim: warmup=30s"))) {
      weir.awaitProgress("arm victim (1 of 1): warming up");
      weir.child().destroy();
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      assertEquals(Status.INTERRUPTED, run("run").parts().get(0).status());
      assertTrue(
          ended.err().contains("weir: arm victim was stopped before its end"), ended.toString());
    }
  }

  /** The second deleted what the first needed, and neither left a run. */
  @Test
  void stress_whereAnotherRunHasBegun_isRefusedAndLeavesThatAlone() throws Exception {
    try (WeirProcess first = WeirProcess.start(temp, quickArguments("--arm", "a: cap=off"))) {
      first.awaitProgress("measuring background noise");
      WeirProcess.Ended second = quick("--arm", "b: cap=off");
      assertEquals(2, second.exitCode(), second.toString());
      assertTrue(second.err().startsWith("weir: --out "), second.toString());

      WeirProcess.Ended ended = first.await();
      assertEquals(0, ended.exitCode(), ended.toString());
    }
    assertEquals(Status.DONE, run("run").parts().get(0).status());
    assertFalse(Files.exists(temp.resolve("run/.work")));
  }

  /** Sound input without one document was a stack trace. */
  @Test
  void stress_onlyRedirects_isRefused() throws Exception {
    Files.writeString(
        temp.resolve("wiki.xml"),
        """
        <mediawiki><page><title>A</title><ns>0</ns><redirect title="B" /><revision>
        <timestamp>2011-01-15T00:00:00Z</timestamp><text>#REDIRECT [[B]]</text></revision></page>
        </mediawiki>
        """);

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "stress", "--docs", "wiki.xml", "--out", "runs/one");

    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(
        ended.err().contains("weir: --docs must hold at least 1 document that can be read: "),
        ended.toString());
    assertEquals(List.of("wiki.xml"), WeirProcess.tree(temp));
  }

  @Test
  void stress_roundsAndObjectives_areComparedAndOneMissedEndsWithThree() throws Exception {
    WeirProcess.Ended ended =
        quick(
            "--rounds",
            "2",
            "--arm",
            "a: cap=off",
            "--arm",
            "b: cap=off",
            "--slo",
            "reopen.p99 < 1h",
            "--slo",
            "b: merge.seconds < 0.0001x a");

    assertEquals(3, ended.exitCode(), ended.toString());
    Run run = run("run");
    assertEquals(
        List.of("a1", "b1", "a2", "b2"),
        run.parts().stream().map(arm -> arm.name() + arm.round()).toList());
    assertEquals("1: a, 1: b, 2: a, 2: b".length(), run.workload().get("order").length());
    assertEquals(
        List.of(
            "reopen.p99 < 1h a true",
            "reopen.p99 < 1h b true",
            "b: merge.seconds < 0.0001x a b false"),
        run.slos().stream().map(slo -> slo.slo() + " " + slo.arm() + " " + slo.met()).toList());
    assertTrue(ended.out().contains("Difference from the first arm"), ended.toString());
    assertTrue(ended.out().contains("Objectives, by the median of rounds"), ended.toString());
    assertTrue(
        Files.readString(temp.resolve("run/slo.xml")).contains("tests=\"3\" failures=\"1\""));

    String json = Files.readString(temp.resolve("run/run.json"));
    Files.createDirectories(temp.resolve("again"));
    Files.writeString(temp.resolve("again/run.json"), json);
    WeirProcess.Ended compared = WeirProcess.run(temp, "report", "run", "again");
    assertEquals(0, compared.exitCode(), compared.toString());
    assertTrue(
        compared.out().startsWith("a: Difference from the first run, all rounds ("),
        compared.toString());

    Files.writeString(
        temp.resolve("again/run.json"), json.replace("synthetic:3000", "synthetic:3001"));
    WeirProcess.Ended refused = WeirProcess.run(temp, "report", "run", "again");
    assertEquals(2, refused.exitCode(), refused.toString());
    assertEquals(
        "weir: again cannot be compared with run: they must have the same\n"
            + "  docs: synthetic:3000, then synthetic:3001\n",
        refused.err());
  }

  @Test
  void stress_dryRun_printsThePlanAndMakesNothing() throws Exception {
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            "stress --dry-run --docs synthetic:3000 --index kept --rounds 2 --out run".split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals("", ended.err());
    assertTrue(
        ended.out().startsWith("Nothing was run. The plan:\n  index     "), ended.toString());
    assertTrue(ended.out().contains("kept, built from synthetic:3000\n"), ended.out());
    assertTrue(ended.out().contains("kept-resident, rewritten from another layout\n"), ended.out());
    assertTrue(ended.out().contains("  queries   terms, drawn from the index\n"), ended.out());
    assertTrue(ended.out().contains("  round 2   "), ended.out());
    assertTrue(ended.out().contains("  out       run\n"), ended.out());
    assertEquals(List.of(), List.of(temp.toFile().list()));
  }

  /** Somebody else fills the page cache while the run looks how quiet it is. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void stress_strictOnANoisyMachine_isRefusedAndLeavesNothing() throws Exception {
    Path noise = Files.createFile(temp.resolve("noise"));
    assumeFalse(Files.getFileStore(noise).type().equals("tmpfs"), "nothing is dirty there");
    assumeTrue(Procfs.SYSTEM.selfIo().isPresent(), "a container that forbids /proc/self/io");
    AtomicBoolean enough = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  byte[] megabyte = new byte[1 << 20];
                  while (!enough.get()) {
                    try (OutputStream out = Files.newOutputStream(noise)) {
                      for (int i = 0; i < 64 && !enough.get(); i++) {
                        out.write(megabyte);
                      }
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }
                });
    WeirProcess.Ended ended;
    try {
      ended = quick("--strict");
    } finally {
      enough.set(true);
      writer.join();
    }
    assertEquals(4, ended.exitCode(), ended.toString());
    assertTrue(
        ended.err().contains("weir: the machine is too noisy for --strict: "), ended.toString());
    assertTrue(ended.err().contains("MB to files before anything ran"), ended.toString());
    assertFalse(Files.exists(temp.resolve("run")));
  }

  @Test
  void stress_aWarmArmAndOneOnTheHeap_areWholeAndTellTheirPageCache() throws Exception {
    WeirProcess.Ended ended =
        quick(
            "--check-index",
            "--cache",
            "warm",
            "--arm",
            "mapped: writeback=off",
            "--arm",
            "ram: directory=heap, cache=as-is, jvm-args=-Xmx512m");

    assertEquals(0, ended.exitCode(), ended.toString());
    List<Part> arms = run("run").measured().toList();
    assertEquals("warm", arms.get(0).settings().get("cache"));
    assertEquals("heap", arms.get(1).settings().get("directory"));
    assertEquals("off", arms.get(1).settings().get("writeback"));
    for (Part arm : arms) {
      assertEquals(Status.DONE, arm.status());
      Part merge = arm;
      assertEquals(
          merge.require(MergeFigures.BYTES_WRITTEN),
          merge.require(MergeFigures.BYTES_CHARGED),
          arm.name());
      assertTrue(merge.require(MergeFigures.BYTES_WRITTEN) > 1_000_000, merge.toString());
      assertEquals(3000, arm.require(ArmFigures.CHECKED_DOCUMENTS), arm.name());
      assertTrue(arm.require(ArmFigures.RESIDENT_LOADED) > 0, arm.toString());
      if (KernelPageCache.unavailable().isEmpty()) {
        boolean warm = arm.require(ArmFigures.CACHE_ASKED).equals("warm");
        assertTrue(arm.require(ArmFigures.RESIDENT_SHARE) >= (warm ? 0.99 : 0), arm.toString());
        assertEquals(List.of(), BusyMachine.withoutItsWarnings(arm.warnings()));
      }
    }
    assertEquals("warm", arms.get(0).require(ArmFigures.CACHE_ASKED));
    assertEquals("as-is", arms.get(1).require(ArmFigures.CACHE_ASKED));
    assertEquals(Optional.empty(), arms.get(1).get(ArmFigures.CACHE_AS_ASKED));
    assertTrue(ended.out().contains("Page cache: share of the index"), ended.out());
  }

  /** Without it, the first arm alone waits for the disk, and seems to be the slow one. */
  @Test
  void stress_armsThatFindTheirIndexCachedByOthers_warns() throws Exception {
    assumeTrue(KernelPageCache.unavailable().isEmpty(), "pages cannot be dropped by this JVM");
    assumeTrue(KernelPageCache.obstacle(temp).isEmpty(), "pages cannot be dropped here");
    Path large =
        SmallIndex.build(temp.resolve("large"), 40_000); // a small one is read whole when opened
    PageCache cache = KernelPageCache.of(large);
    for (File file : large.toFile().listFiles()) {
      cache.drop(file.toPath());
    }

    // Both read the same files: an index with another layout would first be made of this one.
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            arguments(
                "--docs",
                "synthetic:40000",
                "--index",
                "large",
                "--queries",
                queries.toString(),
                "--arm",
                "a: preset=stock",
                "--arm",
                "b: preset=stock"));

    assertEquals(0, ended.exitCode(), ended.toString());
    List<Part> arms = new ArrayList<>(run("run").parts());
    arms.sort(Comparator.comparingDouble(CommandRunTest::residentShare));
    String warning =
        String.format(
            Locale.ROOT,
            "arm %s found %.0f %% of its index in the page cache, arm %s %.0f %%",
            arms.get(0).name(),
            100 * residentShare(arms.get(0)),
            arms.get(1).name(),
            100 * residentShare(arms.get(1)));
    assertEquals(List.of(warning), run("run").warnings().stream().map(RunWarning::what).toList());
    assertTrue(ended.out().contains("WARNING   " + warning), ended.out());
  }

  private static double residentShare(Part arm) {
    return arm.require(ArmFigures.RESIDENT_SHARE);
  }

  /** The figures of a finished run were lost with the report. */
  @Test
  void report_cannotBeWritten_printsTheTableAllTheSame() throws Exception {
    SampleRun.pair(temp.resolve("run"));
    Files.createDirectory(temp.resolve("run/report.html"));
    Files.writeString(temp.resolve("run/report.html/in-the-way"), "");

    WeirProcess.Ended ended = WeirProcess.run(temp, "report", "run");

    assertEquals(1, ended.exitCode(), ended.toString());
    assertTrue(ended.out().contains("Reopen latency"), ended.toString());
    assertTrue(ended.err().contains("report.html cannot be written ("), ended.toString());
  }

  private static void assertFailed(
      Part result, String reason, String lastLine, WeirProcess.Ended ended) {
    Part arm = assertInstanceOf(Part.class, result);
    assertTrue(arm.failure().orElseThrow().reason().contains(reason), arm.failure().toString());
    assertTrue(
        ended
            .err()
            .contains(
                "weir: arm " + arm.name() + " failed: " + arm.failure().orElseThrow().reason()),
        ended.toString());
    if (lastLine != null) {
      assertTrue(
          arm.failure().orElseThrow().lastLines().toString().contains(lastLine),
          arm.failure().toString());
      assertTrue(ended.err().contains(lastLine), ended.toString());
    }
  }

  private WeirProcess.Ended quick(String... more) throws Exception {
    return WeirProcess.run(temp, quickArguments(more));
  }

  private static String[] quickArguments(String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of("--docs", "synthetic:3000", "--index", index.toString()));
    all.addAll(List.of("--queries", queries.toString()));
    return arguments(all.toArray(String[]::new));
  }

  private static String[] arguments(String... more) {
    List<String> all = new ArrayList<>(List.of("stress", "--out", "run"));
    all.addAll(List.of(QUICK));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private Run run(String directory) throws Exception {
    RunFiles files = new RunFiles(temp.resolve(directory));
    RunSchema.assertValid(files.runJson());
    return files.read();
  }

  private long headers(String file) throws Exception {
    return Files.readAllLines(temp.resolve("run").resolve(file)).stream()
        .filter(line -> line.startsWith("arm,round,phase"))
        .count();
  }
}
