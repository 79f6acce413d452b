package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.fakes.ForwardingClock;
import io.weir.procfs.Procfs;
import io.weir.run.RunJson;
import io.weir.stress.Await;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import io.weir.why.PipedFiles;
import io.weir.why.RecordedEngine;
import io.weir.why.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir why --record}: the flight recorder of JVMs that run, and of those that have none. */
@EnabledOnOs(OS.LINUX)
@Slow("starts JVMs, and looks at them for seconds")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WhyRecordTest {

  private static final String SECRET = "customers";
  private static final Pattern NAME = Pattern.compile("name=(weir-why-\\d+)");
  private static final String UNRECORDED =
      "Lengths of handshakes, safepoints and collections, and slow reads and writes of files: ";

  @TempDir Path temp;
  private final TargetJvms targets = new TargetJvms();

  @AfterEach
  void end() throws InterruptedException {
    targets.close();
  }

  private long piped() throws Exception {
    Path pipe = temp.resolve(SECRET + ".pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    return targets.start(
        TargetJvms.OWN_JAVA,
        "-Xmx64m",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        PipedFiles.class.getName(),
        temp.resolve(SECRET).toString(),
        pipe.toString());
  }

  private String recordings(long pid) throws Exception {
    Process jcmd =
        new ProcessBuilder(
                TargetJvms.OWN_JAVA.resolveSibling("jcmd").toString(),
                Long.toString(pid),
                "JFR.check")
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes());
    assertEquals(0, jcmd.waitFor(), said);
    return said;
  }

  private String awaitRecording(long pid) {
    AtomicReference<String> running = new AtomicReference<>("");
    Await.until(
        "the recording",
        () -> {
          try {
            running.set(recordings(pid));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          return running.get().contains("weir-why-");
        });
    return running.get();
  }

  private static Path directory(String running) {
    Matcher name = NAME.matcher(running);
    assertTrue(name.find(), running);
    return Path.of("/tmp", name.group(1));
  }

  @Test
  void record_ofSlowReads_namesTheirKindOfWork_andNoPath() throws Exception {
    long pid = piped();

    WeirProcess.Ended ended =
        WeirProcess.run(
            temp, "why", pid + "", "--for", "8s", "--record", "--json", "--out", "answer");

    assertEquals(0, ended.exitCode(), ended.toString());
    JsonNode json = RunJson.parse(ended.out());
    JsonNode facts = json.get("facts");
    for (String fact :
        List.of("safepoint.wait", "safepoint.longest", "handshake.longest", "gc.pause.longest")) {
      assertTrue(facts.has(fact), fact + " in " + ended);
    }
    for (String work : List.of("refresh", "merge")) {
      assertTrue(facts.at("/file.read." + work + "/value").asInt() > 0, ended.toString());
      double longest = facts.at("/file.read." + work + ".longest/value").asDouble();
      assertTrue(longest >= 20 && longest < 8000, ended.toString());
    }
    assertFalse(json.get("unseen").toString().contains(UNRECORDED), ended.toString());
    assertTrue(
        json.get("cost").toString().contains("is deleted; a JVM that had never recorded keeps"),
        ended.toString());
    for (String text : List.of(ended.out(), Files.readString(temp.resolve("answer/why.html")))) {
      assertFalse(text.contains(SECRET), text);
    }
    assertTrue(recordings(pid).contains("No available recordings"));
  }

  /** Its stacks need all threads to stop, which is no illness of the JVM. */
  @Test
  void record_ofAJvmThatTheLookAloneStops_countsNoStop() throws Exception {
    long pid = targets.waiting(TargetJvms.OWN_JAVA, temp, "-Dgarbage=0", "-XX:+UseSerialGC");

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "why", pid + "", "--for", "6s", "--record", "--json");

    assertEquals(0, ended.exitCode(), ended.toString());
    JsonNode facts = RunJson.parse(ended.out()).get("facts");
    assertTrue(facts.at("/safepoint.wait/value").asDouble() > 0, ended.toString());
    assertEquals(0, facts.at("/safepoint.longest/value").asDouble(), ended.toString());
    assertEquals(0, facts.at("/file.slow/value").asInt(), ended.toString());
  }

  @Test
  void record_interrupted_isReadAndStopped_andItsFileIsDeleted() throws Exception {
    long pid = piped();
    try (WeirProcess weir =
        WeirProcess.start(temp, "why", pid + "", "--for", "1h", "--record", "--json")) {
      String running = awaitRecording(pid);
      Path directory = directory(running);
      assertTrue(Files.isDirectory(directory));
      assertTrue(running.contains("maxsize=32.0MB"), running);
      assertTrue(running.contains("duration="), "it ends by itself: " + running);

      weir.signal("INT");

      WeirProcess.Ended ended = weir.await(60);
      assertEquals(ExitCode.INTERRUPTED, ended.exitCode(), ended.toString());
      assertTrue(RunJson.parse(ended.out()).get("facts").has("safepoint.wait"), ended.toString());
      assertTrue(recordings(pid).contains("No available recordings"));
      assertFalse(Files.exists(directory));
    }
  }

  @Test
  void record_ofAJvmWhoseRecorderIsDisabled_answersWithoutIt_andNamesTheOption() throws Exception {
    long pid = targets.waiting(TargetJvms.OWN_JAVA, temp, "-XX:-FlightRecorder");

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "why", pid + "", "--for", "5s", "--record", "--json");

    assertUnrecorded(
        ended, "its flight recorder is disabled; start it without -XX:-FlightRecorder");
  }

  @Test
  void record_ofAJvmWithoutTheModule_answersWithoutIt_andNamesTheModule() throws Exception {
    Path image = temp.resolve("image");
    Process jlink =
        new ProcessBuilder(
                TargetJvms.OWN_JAVA.resolveSibling("jlink").toString(),
                "--add-modules",
                "java.base",
                "--output",
                image.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(jlink.getInputStream().readAllBytes());
    assertEquals(0, jlink.waitFor(), said);
    long pid = targets.waiting(image.resolve("bin/java"), temp);

    WeirProcess.Ended ended =
        WeirProcess.run(temp, "why", pid + "", "--for", "5s", "--record", "--json");

    assertUnrecorded(ended, "its Java has no module jdk.jfr");
  }

  private static void assertUnrecorded(WeirProcess.Ended ended, String reason) throws Exception {
    assertEquals(0, ended.exitCode(), ended.toString());
    JsonNode json = RunJson.parse(ended.out());
    assertTrue(json.at("/facts/stacks/value").asInt() > 0, ended.toString());
    assertFalse(json.get("facts").has("safepoint.wait"), ended.toString());
    String unseen = json.get("unseen").toString();
    assertTrue(unseen.contains(UNRECORDED + "no flight recording began: " + reason), unseen);
  }

  @Test
  void record_ofAJvmThatEndsMeanwhile_answersFromItsLooks_andDeletesItsFile() throws Exception {
    long pid = targets.waiting(TargetJvms.OWN_JAVA, temp);
    try (WeirProcess weir =
        WeirProcess.start(temp, "why", pid + "", "--for", "1h", "--record", "--json")) {
      Path directory = directory(awaitRecording(pid));

      targets.close();

      WeirProcess.Ended ended = weir.await(60);
      assertTrue(ended.toString().contains("the process "), ended.toString());
      assertFalse(Files.exists(directory), ended.toString());
    }
  }

  /** A fault of weir itself leaves nothing either. */
  @Test
  void record_whoseLookFails_isStopped_andItsFileIsDeleted() throws Exception {
    long pid = targets.waiting(TargetJvms.OWN_JAVA, temp);
    AtomicBoolean fails = new AtomicBoolean();
    NanoClock clock =
        new ForwardingClock(NanoClock.SYSTEM) {
          @Override
          public long nanoTime() {
            if (fails.get()) {
              throw new IllegalStateException("on purpose");
            }
            return super.nanoTime();
          }
        };
    try (Source source =
        Source.process(pid, Procfs.SYSTEM, clock, Optional.of(Duration.ofHours(1)))) {
      source.open();
      Path directory = directory(recordings(pid));
      long due = clock.nanoTime() + Duration.ofSeconds(1).toNanos();
      fails.set(true);

      assertThrows(IllegalStateException.class, () -> source.look(due));

      assertTrue(recordings(pid).contains("No available recordings"));
      assertFalse(Files.exists(directory));
    }
  }

  /** The recorded node is on another machine. */
  @Test
  void record_ofAClusterElsewhere_answersWithoutIt_andSaysWhere() throws Exception {
    try (RecordedEngine recorded = new RecordedEngine("opensearch")) {
      WeirProcess.Ended ended =
          WeirProcess.run(
              temp, "why", recorded.target().toString(), "--for", "5s", "--record", "--json");

      assertEquals(0, ended.exitCode(), ended.toString());
      assertTrue(
          ended.out().contains("on its machine. So --record has no JVM to record; add it there."),
          ended.toString());
    }
  }
}
