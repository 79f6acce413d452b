package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.procfs.Procfs;
import io.weir.rest.Login;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.stress.Await;
import io.weir.stress.QuickArm;
import io.weir.stress.engine.EngineData;
import io.weir.stress.engine.StubEngine;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Preset;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on an engine: a cluster over real HTTP, and servers that never come up. */
@Slow("starts worker JVMs")
class EngineExperimentTest {

  private static final String PASSWORD = "s3cret-of-the-cluster";

  @TempDir Path temp;

  /**
   * The password was once in the task of a worker, and malformed documents were nowhere in the
   * result.
   */
  @Test
  void run_onACluster_warnsOfMalformedDocumentsAndWritesNoPassword() throws Exception {
    Path lines = temp.resolve("lines.txt");
    Files.writeString(lines, "a title\t01-JAN-2020 00:00:00.000\tsome words\n".repeat(50) + "no\n");
    Set<String> seen = new ConcurrentSkipListSet<>();
    ExperimentListener listener =
        new ExperimentListener() {
          @Override
          public void progress(String step, String stage, OptionalDouble fraction, String detail) {
            addFilesWithPassword(seen);
          }
        };
    try (StubEngine engine = new StubEngine()) {
      EngineSite cluster =
          new EngineSite.RunningCluster(
              EngineApi.REST,
              engine.url(),
              Optional.of(new Login("weir", PASSWORD)),
              "weir-stress");
      Arm arm = new Arm("target", new QuickArm().settings());

      Run result = experiment(plan(lines.toString(), arm), cluster, listener).run();

      assertEquals(Status.DONE, result.parts().getFirst().status(), result.toString());
      assertEquals(1, result.warnings().size(), result.warnings().toString());
      assertTrue(
          result.warnings().getFirst().what().startsWith("1 place in the documents is malformed"),
          result.warnings().toString());
      assertEquals(engine.requests.size(), engine.authorizations.size(), "each has the login");
      addFilesWithPassword(seen);
      assertEquals(Set.of(), seen);
    }
  }

  @Test
  void run_onAClusterWithoutDocuments_isRefused() throws Exception {
    Path pages = Files.writeString(temp.resolve("pages.xml"), "<mediawiki>\n</mediawiki>\n");
    try (StubEngine engine = new StubEngine()) {
      EngineSite cluster =
          new EngineSite.RunningCluster(
              EngineApi.REST, engine.url(), Optional.empty(), "weir-stress");
      Arm arm = new Arm("target", new QuickArm().settings());

      StressException refused =
          assertThrows(
              StressException.class,
              () ->
                  experiment(plan(pages.toString(), arm), cluster, new ExperimentListener() {})
                      .run());

      assertEquals(
          "--docs must hold at least 1 document that can be read: " + pages, refused.getMessage());
      assertFalse(Files.exists(temp.resolve("out")));
    }
  }

  /** Two runs with one new --index once filled it at the same time, and one deleted it. */
  @Test
  void run_whileItFillsAnIndex_keepsOtherRunsOut() throws Exception {
    EngineSite servers = new EngineSite.OwnServers(Engine.OPENSEARCH, home(), Optional.empty());
    Experiment<EngineSource.Forecast> first = onServers("out", servers);
    FutureTask<Run> running = new FutureTask<>(first::run);
    Thread.ofPlatform().start(running);
    Await.until(
        "it fills",
        () -> Files.exists(temp.resolve("out/server-filling-0.log")) || running.isDone());
    Experiment<EngineSource.Forecast> second = onServers("other", servers);

    StressException refused = assertThrows(StressException.class, second::run);

    assertEquals(
        "--index must not be in use, another process has locked it: "
            + temp.resolve("index/write.lock"),
        refused.getMessage());
    assertTrue(Files.isDirectory(EngineData.data(temp.resolve("index"))), "it was deleted");
    first.cancel();
    assertTrue(running.get(60, TimeUnit.SECONDS).interrupted());
    IndexLock.hold(temp.resolve("index")).close();
  }

  private Experiment<EngineSource.Forecast> onServers(String out, EngineSite servers) {
    Arm stock = new Arm("stock", ArmSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK));
    StressPlan plan =
        new StressPlan(
            new Documents("synthetic:10", 1, 0),
            QuerySource.TERMS,
            Optional.of(temp.resolve("index")),
            temp.resolve(out),
            List.of(stock),
            1,
            Duration.ofMillis(50),
            false,
            false,
            Telemetry.NONE,
            List.of());
    return experiment(plan, servers, new ExperimentListener() {});
  }

  private static Experiment<EngineSource.Forecast> experiment(
      StressPlan plan, EngineSite site, ExperimentListener listener) {
    return new Experiment<>(
        StressRun.onEngine(new EnginePlan(plan, site, 1)),
        new Experiment.Origin("0", List.of()),
        Procfs.SYSTEM,
        listener,
        Duration.ZERO);
  }

  private StressPlan plan(String documents, Arm arm) {
    return new StressPlan(
        new Documents(documents, 1, 0),
        QuerySource.TERMS,
        Optional.empty(),
        temp.resolve("out"),
        List.of(arm),
        1,
        Duration.ofMillis(50),
        false,
        false,
        Telemetry.NONE,
        List.of());
  }

  /** A distribution whose servers never answer. */
  private Path home() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "SKIPPED: no /bin/sh");
    // Root starts servers as another user, who must be able to get there.
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.createDirectories(home.resolve("config"));
    Files.createDirectories(home.resolve("bin"));
    for (String script : List.of("bin/opensearch", "bin/opensearch-plugin")) {
      Path program = Files.writeString(home.resolve(script), "#!/bin/sh\nexec sleep 600\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return home;
  }

  private void addFilesWithPassword(Set<String> found) {
    try (Stream<Path> files = Files.walk(temp.resolve("out"))) {
      files
          .filter(Files::isRegularFile)
          .filter(EngineExperimentTest::holdsPassword)
          .forEach(file -> found.add(file.toString()));
    } catch (IOException | UncheckedIOException e) {
      // Files come and go while it looks.
    }
  }

  private static boolean holdsPassword(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(PASSWORD);
    } catch (IOException e) {
      return false; // it has gone
    }
  }
}
