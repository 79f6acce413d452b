package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import io.weir.rest.EngineAddress;
import io.weir.stress.Await;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import io.weir.why.SickApplication.Illness;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Looks at real JVMs with stock Lucene. */
@EnabledOnOs(OS.LINUX)
@Slow("starts JVMs, and looks at them for seconds")
class WatchTest {

  private static final Duration MOST = Duration.ofSeconds(90);
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final String ATTACHED = "Attach Listener";

  @TempDir Path temp;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroy(); // in order, so that a recorder deletes its directory
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    started.add(process);
    return process;
  }

  private Process application(Illness illness) throws IOException {
    Process process =
        start(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SickApplication.class.getName(),
            illness.name(),
            temp.resolve("index").toString());
    BufferedReader out = process.inputReader();
    assertEquals("ready", out.readLine());
    return process;
  }

  private static Watch watch(Process process, Duration length) {
    return watch(process.pid(), length);
  }

  private static Watch watch(long pid, Duration length) {
    return new Watch(
        Source.process(pid, Procfs.SYSTEM, NanoClock.SYSTEM),
        length,
        Procfs.SYSTEM,
        NanoClock.SYSTEM);
  }

  /** Names of threads, as the kernel has them, and files in the directory of sockets. */
  private static Set<String> threads(Process process) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return tasks
          .map(
              task -> {
                try {
                  return Files.readString(task.resolve("comm")).strip();
                } catch (IOException e) {
                  return "";
                }
              })
          .filter(name -> !name.startsWith("Lucene Merge") && !name.startsWith("C"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Looks for longer until it suffices: a busy machine leaves few looks in ten seconds. */
  private static Observation enough(Process process) throws WhyException {
    Duration length = FIVE_SECONDS.multipliedBy(2);
    Observation seen = watch(process, length).run();
    while (Answer.of(seen).verdict() == Answer.Verdict.TOO_LITTLE && length.compareTo(MOST) < 0) {
      length = length.multipliedBy(3);
      seen = watch(process, length).run();
    }
    return seen;
  }

  @Test
  void run_onASickApplication_namesItsIllness_andLeavesWhatJcmdLeaves() throws Exception {
    Process process = application(Illness.WARMING);
    Set<String> before = threads(process);

    Observation seen = enough(process);

    Answer answer = Answer.of(seen);
    assertEquals(
        "warming",
        answer.rule().map(Rule::id).orElse(""),
        () -> answer.sentence() + " " + seen.facts());
    assertTrue(seen.value(Fact.INDEX_BYTES).orElse(0) > 0, seen.facts().toString());
    assertTrue(seen.about().get("Java").contains("VM"), seen.about().toString());
    assertFalse(seen.series().seconds().isEmpty());
    Set<String> after = threads(process);
    after.removeAll(before);
    assertEquals(Set.of(ATTACHED), after);
    assertTrue(process.isAlive());
  }

  /** The answers are recorded; the process that they name is a real one. */
  @Test
  void run_onAClusterWithANodeOnThisMachine_looksAtItsJvmToo() throws Exception {
    Process process = application(Illness.WARMING);
    long start = process.info().startInstant().orElseThrow().toEpochMilli();
    try (RecordedEngine engine = new RecordedEngine("opensearch")) {
      engine.edit =
          answer ->
              answer
                  .replaceFirst("\"pid\": \\d+", "\"pid\": " + process.pid())
                  .replaceFirst(
                      "\"start_time_in_millis\": \\d+", "\"start_time_in_millis\": " + start);

      Observation seen =
          new Watch(
                  Source.cluster(
                      EngineAddress.of(engine.target(), Map.of()),
                      Procfs.SYSTEM,
                      NanoClock.SYSTEM,
                      Optional.of(FIVE_SECONDS)),
                  FIVE_SECONDS,
                  Procfs.SYSTEM,
                  NanoClock.SYSTEM)
              .run();

      assertEquals(Long.toString(process.pid()), seen.about().get("process"));
      assertEquals("3.8.0", seen.about().get("opensearch"));
      assertTrue(seen.value(Fact.REFRESH_LONGEST).isPresent(), "of the JVM");
      assertTrue(seen.value(Fact.INDEX_BYTES).orElse(0) > 0, "of the kernel");
      assertTrue(seen.value(Fact.REFRESH_RATE).isPresent(), "of the cluster");
      assertTrue(seen.value(Fact.HANDSHAKE_SHARE).isPresent(), "of the flight recorder");
      assertEquals(1, engine.requests.stream().filter(one -> one.contains("hot_threads")).count());
      assertTrue(
          seen.unseen().stream().noneMatch(one -> one.startsWith("The kernel")),
          seen.unseen().toString());
    }
  }

  @Test
  void run_cancelled_endsAtOnceWithWhatItHas() throws Exception {
    Process process = application(Illness.NOTHING);
    Watch watch = watch(process, Duration.ofHours(1));
    CompletableFuture<Observation> seen =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return watch.run();
              } catch (WhyException e) {
                throw new IllegalStateException(e);
              }
            });
    awaitAttached(process);

    watch.cancel();

    Observation partial = seen.get(30, TimeUnit.SECONDS);
    assertTrue(partial.unseen().getFirst().contains("interrupted"), partial.unseen().toString());
  }

  @Test
  void run_whoseTargetEnds_endsWithWhatItHas() throws Exception {
    Process process = application(Illness.NOTHING);
    CompletableFuture<Observation> seen =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return watch(process, Duration.ofHours(1)).run();
              } catch (WhyException e) {
                throw new IllegalStateException(e);
              }
            });
    awaitAttached(process);
    Await.until("a look", () -> lookedAt(process));

    process.destroyForcibly().waitFor();

    Observation partial = seen.get(30, TimeUnit.SECONDS);
    assertTrue(
        partial.unseen().getFirst().contains("the process ended"), partial.unseen().toString());
    assertTrue(partial.value(Fact.STACKS).isPresent());
  }

  private static void awaitAttached(Process process) {
    Await.until("the attachment", () -> Files.exists(Path.of("/tmp/.java_pid" + process.pid())));
  }

  /** The listener has had the processor for longer than an attachment takes. */
  private static boolean lookedAt(Process process) {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return tasks.anyMatch(
          task -> {
            try {
              return Files.readString(task.resolve("comm")).strip().equals(ATTACHED)
                  && Long.parseLong(
                          Files.readString(task.resolve("schedstat")).strip().split(" ")[2])
                      > 20;
            } catch (IOException e) {
              return false;
            }
          });
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void run_onAProcessWithoutAJvm_isRefused_andDoesNotEndIt() throws Exception {
    Process process = start("sleep", "60");
    Await.until("the program", () -> process.info().command().orElse("").endsWith("sleep"));

    WhyException refusal = assertThrows(WhyException.class, watch(process, FIVE_SECONDS)::run);

    assertTrue(refusal.getMessage().contains("no JVM runs in process"), refusal.getMessage());
    assertTrue(process.isAlive());
  }

  @Test
  void run_onAProcessThatHasEnded_isRefused() throws Exception {
    Process process = start("true");
    process.waitFor();

    WhyException refusal = assertThrows(WhyException.class, watch(process, FIVE_SECONDS)::run);

    assertTrue(refusal.getMessage().contains("a running process"), refusal.getMessage());
  }

  @Test
  void run_onAJvmThatMayNotBeAttachedTo_isRefusedWithTheOption() throws Exception {
    Process process =
        start(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+DisableAttachMechanism",
            "-cp",
            System.getProperty("java.class.path"),
            SickApplication.class.getName(),
            Illness.NOTHING.name(),
            temp.resolve("index").toString());
    assertEquals("ready", process.inputReader().readLine());

    WhyException refusal = assertThrows(WhyException.class, watch(process, FIVE_SECONDS)::run);

    assertTrue(refusal.getMessage().contains("DisableAttachMechanism"), refusal.getMessage());
    assertTrue(process.isAlive());
  }

  @Test
  void run_onItself_isRefused() {
    WhyException refusal =
        assertThrows(WhyException.class, watch(ProcessHandle.current().pid(), FIVE_SECONDS)::run);

    assertTrue(refusal.getMessage().contains("another process"), refusal.getMessage());
  }

  @Test
  void watch_ofALengthOutOfRange_isRefused() {
    for (Duration length : List.of(Duration.ofSeconds(4), Duration.ofHours(2))) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> watch(1, length));
      assertTrue(refusal.getMessage().startsWith("--for must be"), refusal.getMessage());
    }
  }
}
