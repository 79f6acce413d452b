package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerProgress;
import io.weir.run.Failure;
import io.weir.run.RunJson;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.worker.StressTask;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real JVMs; and shell scripts where a JVM has to misbehave. */
@Slow("starts JVMs")
class WorkerTest {

  @TempDir Path temp;

  private final List<WorkerProgress> told = new ArrayList<>();

  @Test
  void await_aTaskThatSucceeds_leavesItsAnswer() throws Exception {
    try (Worker worker = Worker.start(jvm("-Xmx128m"), buildOf(50), temp, Map.of())) {
      assertEquals(
          new WorkerEnd.Answered(new WorkerAnswer.IndexMade(50, 0, List.of(), false)),
          worker.await(told::add));
    }
    assertFalse(told.isEmpty());
    assertEquals("building the index", told.get(0).stage());
  }

  @Test
  void await_aTaskThatFails_saysWhyInItsLastLines() throws Exception {
    StressTask task =
        new StressTask.BuildIndex(
            SmallIndex.documents(5),
            IndexLayout.PLAIN,
            5,
            Files.writeString(temp.resolve("f"), "x"));
    try (Worker worker = Worker.start(jvm("-Xmx128m"), task, temp, Map.of())) {
      Failure failure = failure(worker);
      assertEquals("its JVM ended with exit code 1", failure.reason());
      assertTrue(
          failure.lastLines().stream().anyMatch(line -> line.contains("FileAlreadyExists")),
          failure.toString());
      assertTrue(failure.lastLines().size() <= 20);
    }
  }

  @Test
  void await_aWrongFlag_saysWhich() throws Exception {
    Failure failure = fail(List.of("-XX:+NoSuchFlag"));

    assertEquals("its JVM ended with exit code 1", failure.reason());
    assertTrue(failure.lastLines().get(0).contains("NoSuchFlag"), failure.toString());
  }

  /** A JVM complains of its heap on its standard output, which was thrown away. */
  @Test
  void await_aHeapThatCannotBe_saysSo() throws Exception {
    Failure failure = fail(List.of("-Xms64m", "-Xmx9m"));

    assertTrue(
        failure.lastLines().stream().anyMatch(line -> line.contains("heap size")),
        failure.toString());
  }

  @Test
  void start_noSuchJvm_isThrownWithItsPath() {
    IOException thrown =
        assertThrows(
            IOException.class,
            () -> Worker.start(java(temp.resolve("java")), buildOf(1), temp, Map.of()));

    assertTrue(thrown.getMessage().contains(temp.resolve("java").toString()), thrown.getMessage());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_manyLines_keepsTheLastTwenty() throws Exception {
    Failure failure = failOf("for i in $(seq 1 50); do echo line $i >&2; done; exit 3");

    assertEquals(Optional.of(3), failure.exitCode());
    assertEquals(
        IntStream.rangeClosed(31, 50).mapToObj(i -> "line " + i).toList(), failure.lastLines());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_endedBySignal_namesIt() throws Exception {
    assertEquals("its JVM was ended by signal 9", failOf("kill -9 $$").reason());
  }

  /** A JVM that dies while it tells its progress leaves half a line. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void await_halfALineOfProgress_isPassedOver() throws Exception {
    String line = RunJson.line(new WorkerProgress("merging", OptionalDouble.of(0.5), "x"));
    Failure failure =
        failOf("echo '" + line + "'; echo some library; printf '%s' '{\"stage\":\"me'; exit 7");

    assertEquals(List.of(new WorkerProgress("merging", OptionalDouble.of(0.5), "x")), told);
    assertEquals(Optional.of(7), failure.exitCode());
    assertEquals(List.of("some library", "{\"stage\":\"me"), failure.lastLines());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void close_whileItRuns_endsItAndItIsGone() throws Exception {
    Path pid = temp.resolve("pid");
    Path java =
        script(
            "echo $$ > "
                + pid
                + "; echo '"
                + RunJson.line(new WorkerProgress("a", OptionalDouble.empty(), ""))
                + "'; exec sleep 600");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () -> {
              try (Worker worker = Worker.start(java(java), buildOf(1), temp, Map.of())) {
                worker.await(
                    p -> {
                      throw new IllegalStateException("the listener broke");
                    });
              }
            });

    assertEquals("the listener broke", thrown.getMessage());
    long id = Long.parseLong(Files.readString(pid).strip());
    assertFalse(ProcessHandle.of(id).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  void stop_whileBuilding_endsItWithWhatItHas() throws Exception {
    try (Worker worker = Worker.start(jvm("-Xmx256m"), buildOf(2_000_000), temp, Map.of())) {
      WorkerEnd end =
          worker.await(
              p -> {
                told.add(p);
                worker.stop();
                worker.stop();
              });
      assertEquals(new WorkerEnd.Answered(new WorkerAnswer.IndexMade(0, 0, List.of(), true)), end);
    }
  }

  private Failure fail(List<String> jvmArguments) throws Exception {
    try (Worker worker =
        Worker.start(new JvmCommand(Optional.empty(), jvmArguments), buildOf(1), temp, Map.of())) {
      return failure(worker);
    }
  }

  private Failure failOf(String script) throws Exception {
    try (Worker worker = Worker.start(java(script(script)), buildOf(1), temp, Map.of())) {
      return failure(worker);
    }
  }

  /** Stands in the place of a {@code java}. */
  private Path script(String text) throws IOException {
    Path script = Files.writeString(temp.resolve("java.sh"), "#!/bin/sh\n" + text + "\n");
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  private Failure failure(Worker worker) throws Exception {
    return assertInstanceOf(WorkerEnd.Failed.class, worker.await(told::add)).failure();
  }

  private static JvmCommand jvm(String argument) {
    return new JvmCommand(Optional.empty(), List.of(argument));
  }

  private static JvmCommand java(Path java) {
    return new JvmCommand(Optional.of(java.toString()), List.of());
  }

  private StressTask buildOf(int documents) {
    return new StressTask.BuildIndex(
        SmallIndex.documents(documents), IndexLayout.PLAIN, documents, temp.resolve("index"));
  }
}
