package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import io.weir.stress.Await;
import io.weir.stress.SmallIndex;
import io.weir.suite.Slow;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir load}: whole runs, and runs that end badly. */
@Slow("starts the command line, which starts two JVMs for each arm")
@DisabledOnOs(OS.WINDOWS)
class CommandLoadTest {

  private static final String STOCK = "stock: preset=stock, jvm-args=-Xmx256m -XX:+UseSerialGC";
  private static final String IN_RAM =
      "in RAM: preset=stock, directory=heap, jvm-args=-Xmx512m -XX:+UseSerialGC";

  /** The column of the time at which a request was due. */
  private static final int DUE = 4;

  @TempDir static Path shared;
  @TempDir static Path drawn;
  private static Path index;
  private static Path queries;

  @TempDir Path temp;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), 1000);
    queries = SmallIndex.queries(index, drawn.resolve("queries.txt"));
  }

  private static String[] arguments(String step, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("load", "--docs", "synthetic:1000", "--out", "run"));
    arguments.addAll(List.of("--index", index.toString(), "--queries", queries.toString()));
    arguments.addAll(List.of("--warmup", "300ms", "--step", step));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private Run run() throws Exception {
    return new RunFiles(temp.resolve("run")).read();
  }

  @Test
  void load_twoArms_leavesAWholeRunAndNothingElse() throws Exception {
    WeirProcess.Ended ended =
        WeirProcess.run(
            temp,
            arguments(
                "700ms", "--load", "20", "--merge", "forced", "--arm", STOCK, "--arm", IN_RAM));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals(
        List.of(
            "gc-in-RAM-1.csv",
            "gc-stock-1.csv",
            "queries.txt",
            "report.html",
            "report.svg",
            "requests-in-RAM-1.csv.gz",
            "requests-stock-1.csv.gz",
            "responses-in-RAM-1.hlog",
            "responses-stock-1.hlog",
            "run.json",
            "series-in-RAM-1.csv",
            "series-stock-1.csv"),
        WeirProcess.tree(temp.resolve("run")));
    assertEquals(List.of("index"), List.of(shared.toFile().list()), "copies are left");
    Run run = run();
    assertFalse(run.interrupted());
    assertEquals(List.of("stock", "in RAM"), run.names());
    for (Part arm : run.parts()) {
      assertEquals(Status.DONE, arm.status(), ended.toString());
      Part step = arm.parts().getFirst();
      assertEquals(20, step.require(StepFigures.LOAD));
      assertEquals(
          step.require(StepFigures.DUE), step.require(StepFigures.ANSWERED), arm.toString());
      assertTrue(arm.require(StepFigures.FLOOR).count() > 50, arm.toString());
      assertTrue(arm.get(StepFigures.WARM_UP).isPresent(), arm.toString());
      assertTrue(step.get(StepFigures.SERVER).isPresent(), arm.toString());
      assertTrue(step.require(StepFigures.MERGING) > 0, arm.toString());
      assertEquals(step.require(StepFigures.DUE), requests(arm, step), "each request is kept");
      assertTrue(ended.out().contains(arm.name() + ": "), ended.toString());
    }
    String page = Files.readString(temp.resolve("run/report.html"));
    assertTrue(page.contains("p99 against load") && page.contains("in RAM"), page);
    assertTrue(page.contains("Pauses of the collector of stock"), page);

    Files.delete(temp.resolve("run/report.html"));
    Path directory = temp.resolve("run");
    WeirProcess.Ended again = InProcess.run("report", directory.toString());
    assertEquals(0, again.exitCode(), again.toString());
    assertEquals(ended.out(), again.out());
    assertEquals(page, Files.readString(temp.resolve("run/report.html")));

    WeirProcess.Ended kept =
        InProcess.run(
            "history",
            "--history",
            temp.resolve("weir-history").toString(),
            "add",
            directory.toString());
    assertEquals(0, kept.exitCode(), kept.toString());
    String figures = Files.readString(Path.of(kept.out().strip()));
    assertTrue(figures.contains("\"arms[in RAM].steps[20.0].client.latency.p99Millis\""), figures);
  }

  private long requests(Part arm, Part step) throws Exception {
    return requests(arm.name(), arm.round()).stream()
        .filter(
            line ->
                line.startsWith(
                    "\"%s\",1,%d,".formatted(arm.name(), step.require(StepFigures.NUMBER))))
        .count();
  }

  private List<String> requests(String arm, int round) throws Exception {
    try (InputStream in =
        new GZIPInputStream(
            Files.newInputStream(new RunFiles(temp.resolve("run")).requests(arm, round)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).toList();
    }
  }

  @Test
  void load_ctrlCInAStep_leavesAPartialReport() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(temp, arguments("60s", "--load", "20", "--arm", STOCK))) {
      weir.awaitProgress("step 1, 20 requests/s");
      List<ProcessHandle> children = weir.children();
      assertEquals(2, children.size(), "a server and a client");

      weir.signal("INT", children.toArray(ProcessHandle[]::new)); // as a terminal does
      WeirProcess.Ended ended = weir.await();

      assertEquals(130, ended.exitCode(), ended.toString());
      assertTrue(
          ended.err().contains("weir: interrupted; what was measured until then is in the report"),
          ended.toString());
      assertTrue(ended.out().contains("The run was interrupted"), ended.toString());
      children.forEach(child -> assertFalse(child.isAlive(), ended::toString));
      Run run = run();
      assertTrue(run.interrupted());
      assertEquals(Status.INTERRUPTED, run.parts().getFirst().status());
      // None at all when Ctrl-C came before the first request.
      assertTrue(
          run.parts().getFirst().parts().stream()
              .allMatch(step -> step.require(StepFigures.OUTCOME) == StepOutcome.INTERRUPTED),
          ended.toString());
      assertTrue(Files.exists(temp.resolve("run/report.html")));
      assertEquals(List.of("index"), List.of(shared.toFile().list()), "copies are left");
    }
  }

  /** Such a JVM ends neither with its input nor by Ctrl-C. */
  @Test
  void load_ctrlCWhileTheServerStarts_endsAtOnceWithAReport() throws Exception {
    Path java = WeirProcess.javaThat(temp, "trap '' INT; exec sleep 600");
    try (WeirProcess weir =
        WeirProcess.start(temp, arguments("2s", "--arm", "slow: preset=stock, jvm=" + java))) {
      weir.awaitProgress("starting the server");
      Await.until("the server starts", () -> !weir.children().isEmpty());
      List<ProcessHandle> children = weir.children();

      weir.signal("INT");
      WeirProcess.Ended ended = weir.await(40);

      assertEquals(130, ended.exitCode(), ended.toString());
      children.forEach(child -> assertFalse(child.isAlive(), ended::toString));
      assertEquals(Status.INTERRUPTED, run().parts().getFirst().status());
      assertTrue(Files.exists(temp.resolve("run/report.html")));
      assertEquals(List.of("index"), List.of(shared.toFile().list()), "copies are left");
    }
  }

  /** The rest of the step would be one without updates or merges, and be reported as if with. */
  @Test
  void load_updatesFailInAStep_failTheArmAtOnce() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    List<String> arguments =
        new ArrayList<>(
            List.of(arguments("120s", "--load", "20", "--merge", "forced", "--arm", STOCK)));
    arguments.set(
        arguments.indexOf(index.toString()),
        SmallIndex.build(own.resolve("index"), 1000).toString());
    try (WeirProcess weir = WeirProcess.start(temp, arguments.toArray(String[]::new))) {
      weir.awaitProgress("step 1, ");

      Files.move(copy(own), own.resolve("moved")); // no file can be made in it from now on
      WeirProcess.Ended ended = weir.await(60);

      assertEquals(1, ended.exitCode(), ended.toString());
      assertTrue(
          ended.out().contains("the JVM of the server ended with exit code 1"), ended.toString());
      assertEquals(List.of(), run().parts().getFirst().parts());
    }
  }

  private static Path copy(Path parent) throws Exception {
    try (Stream<Path> below = Files.walk(parent, 2)) {
      return below
          .filter(path -> path.getParent().getFileName().toString().startsWith("index.copies-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void load_serverDiesInAStep_failsTheArmAndKeepsTheStepsBefore() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(temp, arguments("2s", "--load", "10,20,30,40", "--arm", STOCK))) {
      weir.awaitProgress("step 2, ");
      ProcessHandle server = // the client is started after it
          weir.children().stream().min(Comparator.comparingLong(ProcessHandle::pid)).orElseThrow();

      server.destroyForcibly();
      WeirProcess.Ended ended = weir.await();

      assertEquals(1, ended.exitCode(), ended.toString());
      assertTrue(
          ended.out().contains("the JVM of the server was ended by signal 9"), ended.toString());
      Part arm = run().parts().getFirst();
      assertEquals(Status.FAILED, arm.status());
      assertEquals(1, arm.parts().size(), arm.toString());
      assertTrue(Files.exists(temp.resolve("run/report.html")));
    }
  }

  @Test
  void load_aTarget_isReadAndItsPasswordIsNowhere() throws Exception {
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/",
        exchange -> {
          seen.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    target.start();
    try {
      WeirProcess.Ended ended =
          WeirProcess.run(
              temp,
              "load",
              "--docs",
              "synthetic:50",
              "--target",
              "http://me:s3cret@127.0.0.1:%d/articles/_search"
                  .formatted(target.getAddress().getPort()),
              "--load",
              "20",
              "--step",
              "500ms",
              "--warmup",
              "0s",
              "--rounds",
              "2",
              "--out",
              "run");

      assertEquals(0, ended.exitCode(), ended.toString());
      assertEquals(Map.of(), run().parts().getFirst().settings());
      assertNotEquals(
          requests("target", 1).stream().map(line -> line.split(",")[DUE]).toList(),
          requests("target", 2).stream().map(line -> line.split(",")[DUE]).toList(),
          "each round has times of its own");
      assertTrue(
          seen.stream().allMatch(line -> line.matches("GET /articles/_search\\?q=\\w+ Basic \\S+")),
          seen.toString());
      assertTrue(run().parts().getFirst().parts().getFirst().require(StepFigures.ANSWERED) > 0);
      assertFalse(ended.toString().contains("s3cret"), ended.toString());
      try (Stream<Path> files = Files.walk(temp.resolve("run"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
          assertFalse(content.contains("s3cret"), file.toString());
        }
      }
    } finally {
      target.stop(0);
    }
  }

  @Test
  void load_aTargetThatDoesNotAnswer_isRefused() throws Exception {
    WeirProcess.Ended ended =
        InProcess.run(
            "load",
            "--docs=synthetic:50",
            "--target=http://127.0.0.1:1/search",
            "--out=" + temp.resolve("run"));

    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(ended.err().contains("--target must answer queries"), ended.toString());
  }

  @Test
  void load_dryRun_saysWhatItWouldDo() throws Exception {
    List<String> plan = new ArrayList<>(List.of(arguments("5s", "--dry-run")));
    plan.set(plan.indexOf("run"), temp.resolve("run").toString());
    WeirProcess.Ended dry = InProcess.run(plan.toArray(String[]::new));

    assertEquals(0, dry.exitCode(), dry.toString());
    assertTrue(dry.out().startsWith("Nothing was run. The plan:\n  documents "), dry.toString());
    assertTrue(dry.out().contains("\n  arm       weir: preset=weir, "), dry.toString());
    assertEquals(List.of(), WeirProcess.tree(temp));
  }
}
