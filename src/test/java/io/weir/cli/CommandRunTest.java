package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.exporter.Collector;
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
import io.weir.stress.Await;
import io.weir.stress.BusyMachine;
import io.weir.stress.SmallIndex;
import io.weir.stress.queries.QueryFile;
import io.weir.suite.FreePort;
import io.weir.suite.Slow;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that end well. Two of them carry many options each, and most tests read what those left:
 * {@link #first} builds its index, and {@link #second} goes on with what the first has kept.
 */
@Slow("starts the command line, which starts a JVM for each arm")
class CommandRunTest {

  private static final int DOCUMENTS = 3000;
  private static final int BAD_LINE = 7;

  /** Two collectors that must collect often, and a JVM without the recorder that tells of them. */
  private static final String SERIAL = "-XX:+UseSerialGC -Xmx64m -Xmn2m";

  private static final String ZGC = "-XX:+UseZGC -Xmx128m -XX:ZCollectionInterval=0.1";
  private static final String NO_RECORDER =
      "-Xmx512m --limit-modules java.se,jdk.unsupported,jdk.management,jdk.httpserver";

  private static final Pattern CHANGED =
      Pattern.compile(
          "lucene_refresh_seconds_count\\{index=\"weir\",result=\"changed\"} [1-9]\\d*");
  private static final Pattern OTHER_DIGITS = Pattern.compile("(?U)[\\d&&[^0-9]]");

  @TempDir static Path shared;
  private static WeirProcess.Ended first;
  private static List<String> filesBesideFirst;
  private static Collector.Push lastPush;
  private static WeirProcess.Ended second;
  private static String scraped;
  private static Set<String> before;

  @TempDir Path temp;

  /** In a locale whose digits no page, no chart and no other program can read. */
  @BeforeAll
  static void first() throws Exception {
    writeDocuments();
    try (Collector collector = new Collector()) {
      List<String> arguments =
          List.of(
              "stress",
              "--docs=docs.txt",
              "--index=kept",
              "--out=first",
              "--queries=mixed",
              "--searches-per-second=200",
              "--otlp-url=" + collector.url(),
              "--flight-recording",
              "--warmup=1s",
              "--before=1s",
              "--after=1s");
      try (WeirProcess weir =
          WeirProcess.startWith(
              "-Duser.language=ar -Duser.country=EG", shared, arguments.toArray(String[]::new))) {
        first = weir.await();
      }
      assertEquals(0, first.exitCode(), first.toString());
      lastPush = collector.next();
      while (!collector.isEmpty()) {
        lastPush = collector.next();
      }
    }
    filesBesideFirst = List.of(shared.toFile().list()).stream().sorted().toList();
    second();
  }

  private static void writeDocuments() throws IOException {
    try (DocumentReader documents =
            DocumentSources.parse("synthetic:" + DOCUMENTS, 1).open(new ReadProblems());
        BufferedWriter lines = Files.newBufferedWriter(shared.resolve("docs.txt"))) {
      for (int i = 1; i <= DOCUMENTS; i++) {
        CorpusDocument document = documents.next();
        lines.write(
            i == BAD_LINE
                ? "bad line\n"
                : "%s\t15-JAN-2001 00:00:00.000\t%s\n"
                    .formatted(document.title(), document.body().replaceAll("\\s", " ")));
      }
    }
  }

  /** Its last arm is stopped by another program, while all others are done. */
  private static void second() throws Exception {
    before = new TreeSet<>(Set.of(shared.toFile().list()));
    Files.writeString(
        shared.resolve("docs.txt"),
        "title\t15-JAN-2001 00:00:00.000\tother words\n".repeat(DOCUMENTS));
    int port = FreePort.next();
    try (HttpClient client = HttpClient.newHttpClient();
        WeirProcess weir =
            WeirProcess.start(
                shared,
                "stress",
                "--docs=docs.txt",
                "--index=kept",
                "--out=second",
                "--queries=first/queries.txt",
                "--searches-per-second=200",
                "--json",
                "--metrics-port=" + port,
                "--commits-per-minute=600",
                "--check-index",
                "--cache=warm",
                "--warmup=500ms",
                "--before=700ms",
                "--after=500ms",
                "--arm",
                "stock: preset=stock, jvm-args=" + SERIAL,
                "--arm",
                "weir: cap=7MB/s, writeback=off, jvm-args=" + ZGC,
                "--arm",
                "ram: directory=heap, cache=as-is, jvm-args=" + NO_RECORDER,
                "--arm",
                "stopped: preset=stock, warmup=60s")) {
      weir.awaitProgress("arm stock (1 of 4): opening");
      weir.awaitProgress("arm weir (2 of 4): opening");
      Await.until(
          "reopens of weir",
          () -> {
            scraped = scrape(client, port);
            return scraped.lines().anyMatch(CHANGED.asMatchPredicate());
          });
      weir.awaitProgress("arm ram (3 of 4): opening");
      weir.awaitProgress("arm stopped (4 of 4): warming up");
      weir.child().destroy();
      second = weir.await();
    }
  }

  /** Empty until the arm listens. */
  private static String scrape(HttpClient client, int port) {
    URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
    try {
      return client
          .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (ConnectException e) {
      return "";
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void stress_defaultArms_leaveAWholeRunAndNothingElse() throws Exception {
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
            "slow-reopens.txt",
            "stock-1.jfr",
            "weir-1.jfr"),
        WeirProcess.tree(shared.resolve("first")));
    assertEquals( // what these two arms start from
        List.of("docs.txt", "first", "kept", "kept-resident"), filesBesideFirst);
    Run run = run("first");
    assertFalse(run.interrupted());
    assertEquals(Integer.toString(DOCUMENTS - 1), run.workload().get("documents"));
    assertEquals(shared.resolve("docs.txt").toString(), run.workload().get("docs"));
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
      assertTrue(arm.require(ArmFigures.SEARCHES) > 50, arm.toString());
      assertEquals(Optional.empty(), arm.get(ArmFigures.COMMIT.asked(), Phase.BEFORE));
      assertEquals(50, arm.require(ArmFigures.SLOW_THRESHOLD));
      assertTrue(first.out().contains(arm.name()), first.toString());
    }
    Part weir = arm("first", 1);
    assertEquals(
        weir.require(MergeFigures.BYTES_WRITTEN), weir.require(MergeFigures.BYTES_CHARGED));
    // On a busy machine the forced merge may find a natural one that merges all, and waits for it.
    long forced = weir.require(MergeFigures.MERGES, MergeKind.FORCED);
    long natural = weir.require(MergeFigures.MERGES, MergeKind.NATURAL);
    assertTrue(forced + natural >= 1, weir.toString());
    assertEquals(0, weir.require(MergeFigures.PAUSES, MergeKind.CRITICAL), weir.toString());
    assertEquals(0, weir.require(MergeFigures.CAP_LIFTS), weir.toString());
    assertTrue(first.err().contains("index: building the index"), first.toString());
    assertTrue(first.err().contains("arm weir (2 of 2): "), first.toString());
    assertTrue(first.err().endsWith("report: first/report.html\n"), first.toString());
    assertEquals(1, headers("reopens.csv"));
    assertEquals(1, headers("series.csv"));
    assertEquals(1, headers("gc.csv"));
    assertEquals(1, headers("slow-reopens.csv"));
  }

  @Test
  void report_ofARun_isWhatTheRunPrinted() throws Exception {
    Path page = shared.resolve("first/report.html");
    Files.delete(page);

    WeirProcess.Ended again = InProcess.run("report", shared.resolve("first").toString());

    assertEquals(0, again.exitCode(), again.toString());
    assertEquals(first.out(), again.out());
    assertTrue(Files.size(page) > 10_000);
  }

  @Test
  void stress_inArabic_writesDigitsThatItsReportCanUse() throws Exception {
    assertReadable("the terminal", first.toString());
    for (String file :
        List.of("queries.txt", "series.csv", "run.json", "report.html", "report.svg")) {
      assertReadable(file, Files.readString(shared.resolve("first").resolve(file)));
    }
  }

  private static void assertReadable(String what, String text) {
    assertFalse(
        OTHER_DIGITS.matcher(text).find(),
        () ->
            what
                + ": "
                + text.lines()
                    .filter(line -> OTHER_DIGITS.matcher(line).find())
                    .findFirst()
                    .orElseThrow());
  }

  @Test
  void stress_aBadLineInTheDocuments_warnsWhereItIsAndGoesOn() throws Exception {
    String place = shared.resolve("docs.txt") + ":" + BAD_LINE + ": ";
    assertTrue(
        first.err().contains("weir: 1 place in the documents is malformed; the first: "),
        first.toString());
    assertTrue(first.err().contains(place), first.toString());
    List<RunWarning> warnings = BusyMachine.withoutItsWarnings(run("first").warnings());
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).what().contains(place), warnings.toString());
  }

  @Test
  void stress_withACollectorAndAFlightRecording_feedsBoth() throws Exception {
    assertEquals("weir-stress", lastPush.resource().get("service.name"));
    assertEquals("weir", lastPush.resource().get("service.instance.id"));
    assertTrue(lastPush.metric("lucene.refresh").isPresent());
    Metric limit = lastPush.metric("lucene.merge.rate.limit").orElseThrow();
    assertEquals(
        Double.POSITIVE_INFINITY, limit.getGauge().getDataPoints(0).getAsDouble(), "no cap");

    List<RecordedEvent> events = RecordingFile.readAllEvents(shared.resolve("first/weir-1.jfr"));
    assertTrue(
        events.stream()
            .anyMatch(
                event ->
                    event.getEventType().getName().equals("io.weir.Reopen")
                        && event.getString("index").equals("weir")));
    Set<String> names =
        events.stream().map(event -> event.getEventType().getName()).collect(Collectors.toSet());
    assertTrue(names.containsAll(Set.of("io.weir.Merge", "io.weir.DirtyPages", "jdk.CPULoad")));
  }

  private static void assertQueries(String kind, Path text, Run run) throws Exception {
    assertEquals(kind, run.values().require(HeaderFigures.QUERIES_KIND));
    assertEquals(2000, run.values().require(HeaderFigures.QUERIES_COUNT));
    assertEquals(sha256(text), run.values().require(HeaderFigures.QUERIES_SHA256));
  }

  /** Two arms, two layouts of the index: one file, and it can be given back. */
  @Test
  void stress_mixedAndItsReplay_searchForTheSameAndCanBeCompared() throws Exception {
    Path text = shared.resolve("first/queries.txt");
    assertQueries("mixed", text, run("first"));
    assertEquals(2000, QueryFile.read(text).queries().size());
    List<String> lines = Files.readAllLines(text);
    assertTrue(lines.get(1).startsWith("# mixed, seed 1: 50 % single terms, "), lines.get(1));
    for (String operator : List.of(" AND ", " OR ", " AND NOT ")) {
      assertTrue(lines.stream().skip(4).anyMatch(line -> line.contains(operator)), operator);
    }

    assertArrayEquals(
        Files.readAllBytes(text), Files.readAllBytes(shared.resolve("second/queries.txt")));
    assertQueries("file", text, run("second"));
    WeirProcess.Ended compared =
        InProcess.run(
            "report", shared.resolve("first").toString(), shared.resolve("second").toString());
    assertEquals(0, compared.exitCode(), compared.toString());
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  @Test
  void stress_keptIndexAndJson_buildsNothingAndPrintsTheFile() throws Exception {
    assertFalse(second.err().contains("building"), second.toString());
    JsonNode printed = new ObjectMapper().readTree(second.out());
    assertEquals(new ObjectMapper().readTree(shared.resolve("second/run.json").toFile()), printed);
    assertEquals("done", printed.at("/parts/0/status").asText());
    assertTrue(printed.at("/parts/0/values/merge.bytesCharged").isMissingNode());
    assertTrue(printed.at("/parts/0/values/merge.pauses.forced.merges").isMissingNode());
    assertTrue(printed.at("/parts/0/values/merge.capLifts").isMissingNode());
    assertEquals("600", printed.at("/parts/0/settings/commits-per-minute").asText());
    assertEquals(10, printed.at("/parts/0/values/commit.before.askedPerSecond").asDouble());
    assertTrue(
        printed.at("/parts/0/values/commit.before.latency/count").asLong() >= 3, second.toString());
    Set<String> now = new TreeSet<>(Set.of(shared.toFile().list()));
    now.remove("second");
    assertEquals(before, now, "no copies are left");
  }

  /** The index is kept, and would be compared with one of other documents. */
  @Test
  void stress_documentsChangedSinceTheIndexWasBuilt_warns() throws Exception {
    assertTrue(
        run("second").warnings().get(0).what().startsWith("the documents have changed since"),
        second.toString());
  }

  /** It was exit code 0, as if all was well. */
  @Test
  void stress_anArmThatIsToldToStopFromOutside_isNoSuccess() throws Exception {
    assertEquals(1, second.exitCode(), second.toString());
    assertEquals(
        List.of(Status.DONE, Status.DONE, Status.DONE, Status.INTERRUPTED),
        run("second").parts().stream().map(Part::status).toList());
    assertTrue(
        second.err().contains("weir: arm stopped was stopped before its end"), second.toString());
  }

  @Test
  void stress_withAMetricsPort_servesTheArmThatRuns() {
    assertTrue(scraped.contains("lucene_merge_written_bytes_total{index=\"weir\""), scraped);
    assertTrue(scraped.contains("jvm_memory_used_bytes"), scraped);
    assertTrue(
        scraped.lines().anyMatch(line -> line.matches("lucene_merge_rate_limit_.* 7000000.0")),
        scraped);
  }

  @Test
  void stress_warmArmsAndOneOnTheHeap_areWholeAndTellTheirPageCache() throws Exception {
    List<Part> arms = List.of(arm("second", 0), arm("second", 1), arm("second", 2));
    assertEquals("warm", arms.get(1).settings().get("cache"));
    assertEquals("off", arms.get(1).settings().get("writeback"));
    assertEquals("heap", arms.get(2).settings().get("directory"));
    for (Part arm : arms) {
      Part merge = arm;
      assertTrue(merge.require(MergeFigures.BYTES_WRITTEN) > 1_000_000, merge.toString());
      assertEquals(DOCUMENTS - 1, arm.require(ArmFigures.CHECKED_DOCUMENTS), arm.name());
      if (KernelPageCache.unavailable().isEmpty()) {
        boolean warm = arm.require(ArmFigures.CACHE_ASKED).equals("warm");
        assertTrue(arm.require(ArmFigures.RESIDENT_SHARE) >= (warm ? 0.99 : 0), arm.toString());
      }
    }
    for (Part arm : arms.subList(1, 3)) {
      Part merge = arm;
      assertEquals(
          merge.require(MergeFigures.BYTES_WRITTEN),
          merge.require(MergeFigures.BYTES_CHARGED),
          arm.name());
      assertTrue(arm.require(ArmFigures.RESIDENT_LOADED) > 0, arm.toString());
    }
    assertEquals("warm", arms.get(0).require(ArmFigures.CACHE_ASKED));
    assertEquals("as-is", arms.get(2).require(ArmFigures.CACHE_ASKED));
    assertEquals(Optional.empty(), arms.get(2).get(ArmFigures.CACHE_AS_ASKED));
    String table = InProcess.run("report", shared.resolve("second").toString()).out();
    assertTrue(table.contains("Page cache: share of the index"), table);
    assertTrue(table.contains("Pauses of the garbage collector during the merge"), table);
  }

  @Test
  void stress_twoCollectors_tellPausesAndNoCycles() throws Exception {
    assertPauses(arm("second", 0), "DefNew");
    assertPauses(arm("second", 1), "ZGC Minor,ZGC Major");

    // The beans of ZGC count whole cycles as collection time; pauses are a small part of that.
    double pausedMillis =
        pauses("weir").stream().mapToLong(cells -> Long.parseLong(cells[4])).sum() / 1e6;
    double cycleMillis = arm("second", 1).require(ArmFigures.GC_SECONDS) * 1e3;
    assertTrue(pausedMillis < cycleMillis / 2, pausedMillis + " ms of " + cycleMillis);

    assertFalse(
        WeirProcess.tree(shared.resolve("second")).stream().anyMatch(name -> name.contains("jfr")),
        "the recorder left something");
    String series = Files.readString(new RunFiles(shared.resolve("second")).seriesCsv());
    int column =
        List.of(series.lines().findFirst().orElseThrow().split(","))
            .indexOf("heap_committed_bytes");
    series
        .lines()
        .skip(1)
        .forEach(line -> assertTrue(line.split(",", -1)[column].matches("[1-9][0-9]{6,}"), line));
  }

  /** Other warnings than of a busy machine: that one arm has no recorder to tell of its pauses. */
  @Test
  void stress_anArmWithoutTheRecorder_isWholeAndSaysWhatIsNotKnown() throws Exception {
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(arm("second", 0).warnings()));
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(arm("second", 1).warnings()));
    Part bare = arm("second", 2);
    assertEquals(Status.DONE, bare.status());
    assertEquals(Optional.empty(), bare.get(ArmFigures.GC_PAUSES, Phase.BEFORE));
    assertTrue(bare.require(ArmFigures.GC_COLLECTIONS) >= 0);
    List<RunWarning> warnings = BusyMachine.withoutItsWarnings(bare.warnings());
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(
        warnings.get(0).what().startsWith("the pauses of the garbage collector are not known: "),
        warnings.toString());
    assertEquals(0, pauses("ram").size());
  }

  private static void assertPauses(Part arm, String collectors) throws Exception {
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

  private static List<String[]> pauses(String arm) throws IOException {
    return Files.readAllLines(shared.resolve("second/gc.csv")).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .filter(cells -> cells[0].equals(arm))
        .toList();
  }

  @Test
  void stress_nothingButBadLines_isRefusedAndLeavesNothing() throws Exception {
    assertNoDocumentIn("FIELDS_HEADER_INDICATOR###\ttitle\tdate\tbody\nbad line\n");
  }

  /** Sound input without one document was a stack trace. */
  @Test
  void stress_onlyRedirects_isRefused() throws Exception {
    assertNoDocumentIn(
        """
        <mediawiki><page><title>A</title><ns>0</ns><redirect title="B" /><revision>
        <timestamp>2011-01-15T00:00:00Z</timestamp><text>#REDIRECT [[B]]</text></revision></page>
        </mediawiki>
        """);
  }

  private void assertNoDocumentIn(String text) throws Exception {
    Path documents = Files.writeString(temp.resolve("docs.txt"), text);

    WeirProcess.Ended ended =
        InProcess.run(
            "stress", "--docs", documents.toString(), "--out", temp.resolve("runs/one").toString());

    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(
        ended
            .err()
            .contains("weir: --docs must hold at least 1 document that can be read: " + documents),
        ended.toString());
    assertEquals(List.of("docs.txt"), WeirProcess.tree(temp));
  }

  @Test
  void stress_dryRun_printsThePlanAndMakesNothing() {
    Path index = temp.resolve("kept");
    Path out = temp.resolve("run");
    WeirProcess.Ended ended =
        InProcess.run(
            ("stress --dry-run --docs synthetic:3000 --rounds 2 --index " + index + " --out " + out)
                .split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals("", ended.err());
    assertTrue(
        ended.out().startsWith("Nothing was run. The plan:\n  index     "), ended.toString());
    assertTrue(ended.out().contains("kept, built from synthetic:3000\n"), ended.out());
    assertTrue(ended.out().contains("kept-resident, rewritten from another layout\n"), ended.out());
    assertTrue(ended.out().contains("  queries   terms, drawn from the index\n"), ended.out());
    assertTrue(ended.out().contains("  round 2   "), ended.out());
    assertTrue(ended.out().contains("  out       " + out + "\n"), ended.out());
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
    try { // of its own: what its own process writes is not of others
      ended =
          WeirProcess.run(temp, "stress", "--strict", "--docs", "synthetic:3000", "--out", "run");
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

  /** Without it, the first arm alone waits for the disk, and seems to be the slow one. */
  @Test
  void stress_armsThatFindTheirIndexCachedByOthers_warns() throws Exception {
    assumeTrue(KernelPageCache.unavailable().isEmpty(), "pages cannot be dropped by this JVM");
    assumeTrue(KernelPageCache.obstacle(temp).isEmpty(), "pages cannot be dropped here");
    Path large =
        SmallIndex.build(temp.resolve("large"), 40_000); // a small one is read whole when opened
    Path queries = SmallIndex.queries(large, temp.resolve("queries.txt"));
    PageCache cache = KernelPageCache.of(large);
    for (File file : large.toFile().listFiles()) {
      cache.drop(file.toPath());
    }

    // Both read the same files: an index with another layout would first be made of this one.
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            "stress",
            "--docs=synthetic:40000",
            "--index=large",
            "--out=run",
            "--queries=" + queries,
            "--warmup=300ms",
            "--before=400ms",
            "--after=300ms",
            "--arm=a: preset=stock",
            "--arm=b: preset=stock");

    assertEquals(0, ended.exitCode(), ended.toString());
    Run run = new RunFiles(temp.resolve("run")).read();
    List<Part> arms = new ArrayList<>(run.parts());
    arms.sort(Comparator.comparingDouble(CommandRunTest::residentShare));
    String warning =
        String.format(
            Locale.ROOT,
            "arm %s found %.0f %% of its index in the page cache, arm %s %.0f %%",
            arms.get(0).name(),
            100 * residentShare(arms.get(0)),
            arms.get(1).name(),
            100 * residentShare(arms.get(1)));
    assertEquals(List.of(warning), run.warnings().stream().map(RunWarning::what).toList());
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

    WeirProcess.Ended ended = InProcess.run("report", temp.resolve("run").toString());

    assertEquals(1, ended.exitCode(), ended.toString());
    assertTrue(ended.out().contains("Reopen latency"), ended.toString());
    assertTrue(ended.err().contains("report.html cannot be written ("), ended.toString());
  }

  private static Part arm(String run, int number) throws Exception {
    return run(run).parts().get(number);
  }

  private static Run run(String directory) throws Exception {
    RunFiles files = new RunFiles(shared.resolve(directory));
    RunSchema.assertValid(files.runJson());
    return files.read();
  }

  private static long headers(String file) throws Exception {
    return Files.readAllLines(shared.resolve("first").resolve(file)).stream()
        .filter(line -> line.startsWith("arm,round,phase"))
        .count();
  }
}
