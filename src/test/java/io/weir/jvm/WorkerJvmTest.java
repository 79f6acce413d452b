package io.weir.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.jvm.SmallWorker.Began;
import io.weir.jvm.SmallWorker.Said;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.jvm.WorkerJvm.Progress;
import io.weir.rest.Login;
import io.weir.run.Failure;
import io.weir.stress.Await;
import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which a worker ends; shell scripts where a JVM would have to misbehave. */
@Slow("starts JVMs")
@Timeout(120) // for a worker that does not end
class WorkerJvmTest {

  @TempDir Path temp;

  private final List<Progress> heard = new ArrayList<>();

  private WorkerJvm start(SmallWorker.Task task) throws DiedException {
    return start(SmallWorker.JVM, task);
  }

  private WorkerJvm start(JvmCommand jvm, SmallWorker.Task task) throws DiedException {
    return start(jvm, SmallWorker.class, task);
  }

  private WorkerJvm start(JvmCommand jvm, Class<?> main, SmallWorker.Task task)
      throws DiedException {
    return WorkerJvm.start("its JVM", jvm, main, task, temp.resolve("errors.txt"), Map.of());
  }

  private static JvmCommand with(String... more) {
    List<String> arguments = new ArrayList<>(SmallWorker.JVM.arguments());
    arguments.addAll(List.of(more));
    return new JvmCommand(Optional.empty(), arguments);
  }

  private Said answer(WorkerJvm worker) throws Exception {
    return worker.answer(Said.class, heard::add);
  }

  private Failure failure(WorkerJvm worker) {
    try (worker) {
      return assertThrows(DiedException.class, () -> answer(worker)).failure();
    }
  }

  private static void signal(String name, long pid) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor());
  }

  @Test
  void answer_aTaskThatSucceeds_isItsRecord() throws Exception {
    try (WorkerJvm worker = start(new SmallWorker.Repeat("a\n\"b\" \u00e9"))) {
      assertEquals(new Said("a\n\"b\" \u00e9"), answer(worker));
    }
    assertEquals(List.of(new Progress("repeating", OptionalDouble.of(0.5), "half")), heard);
  }

  /** An answer of 200 kB came apart when the JVM logged while the pipe was full. */
  @Test
  void answer_whileALibraryAndTheJvmPrint_isWhole() throws Exception {
    String text = "0123456789\u00e9\uD83D\uDE00".repeat(20_000);
    try (WorkerJvm worker = start(with("-Xlog:gc*=debug"), new SmallWorker.RepeatInNoise(text))) {
      assertTrue(text.equals(answer(worker).text()));
    }
  }

  @Test
  void answer_aTaskThatFails_saysWhyInItsLastLines() throws Exception {
    Failure failure = failure(start(new SmallWorker.Fail("no luck")));

    assertEquals("its JVM ended with exit code 1", failure.reason());
    assertEquals("java.lang.IllegalStateException: no luck", failure.lastLines().getLast());
    assertTrue(failure.lastLines().size() <= 20);
  }

  @Test
  void answer_onAFullDisk_isOneLineOfThat() throws Exception {
    assertEquals(
        new Failure(
            "the disk of " + temp + " is full: 1.0 MB free",
            Optional.of(Worker.DISK_FULL),
            List.of()),
        failure(start(new SmallWorker.FillTheDisk(temp))));
  }

  @Test
  void answer_aWrongFlag_saysWhich() throws Exception {
    Failure failure = failure(start(with("-XX:+NoSuchFlag"), new SmallWorker.Work()));

    assertEquals("its JVM ended with exit code 1", failure.reason());
    assertTrue(failure.lastLines().get(0).contains("NoSuchFlag"), failure.toString());
  }

  /** A JVM complains of its heap on its standard output, which was thrown away. */
  @Test
  void answer_aHeapThatCannotBe_saysSo() throws Exception {
    Failure failure = failure(start(with("-Xms64m", "-Xmx9m"), new SmallWorker.Work()));

    assertTrue(
        failure.lastLines().stream().anyMatch(line -> line.contains("heap size")),
        failure.toString());
  }

  @Test
  void start_noSuchJvm_saysWhich() {
    Path java = temp.resolve("java");
    JvmCommand none = new JvmCommand(Optional.of(java.toString()), List.of());

    String message =
        assertThrows(DiedException.class, () -> start(none, new SmallWorker.Work())).getMessage();

    assertTrue(message.startsWith("its JVM could not be run: "), message);
    assertTrue(message.contains(java.toString()), message);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_manyLines_keepsTheLastTwenty() throws Exception {
    Failure failure =
        failure(ScriptedJvm.start(temp, "for i in $(seq 1 50); do echo line $i >&2; done; exit 3"));

    assertEquals(Optional.of(3), failure.exitCode());
    assertEquals(
        IntStream.rangeClosed(31, 50).mapToObj(i -> "line " + i).toList(), failure.lastLines());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_endedBySignal_namesIt() throws Exception {
    assertEquals(
        "its JVM was ended by signal 9", failure(ScriptedJvm.start(temp, "kill -9 $$")).reason());
  }

  /** It is not taken for one that did its task. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_noAnswer_isOneWhateverTheExitCodeSays() throws Exception {
    assertEquals(
        "its JVM ended with exit code 0", failure(ScriptedJvm.start(temp, "exit 0")).reason());
    String answered = ScriptedJvm.saying(WorkerLine.Kind.ANSWER, new Said("x"));
    assertEquals(
        "its JVM ended with exit code 4",
        failure(ScriptedJvm.start(temp, answered + "; exit 4")).reason());
  }

  /** A JVM that dies while it tells its progress leaves half a line. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void answer_halfALineOfProgress_isPassedOver() throws Exception {
    Progress whole = new Progress("merging", OptionalDouble.of(0.5), "x");
    Failure failure =
        failure(
            ScriptedJvm.start(
                temp,
                ScriptedJvm.saying(WorkerLine.Kind.PROGRESS, whole)
                    + "; echo some library; printf 'weir:progress Progress {\"stage\":\"me'; exit 7"));

    assertEquals(List.of(whole), heard);
    assertEquals(Optional.of(7), failure.exitCode());
    assertEquals(List.of("some library", "Progress {\"stage\":\"me"), failure.lastLines());
  }

  /** A worker that logs to its standard output would stand still until the run reads it. */
  @Test
  void output_ofMoreThanAPipeHolds_holdsNothingUp() throws Exception {
    Path written = temp.resolve("written");
    try (WorkerJvm worker = start(new SmallWorker.Print(written))) {
      worker.await(Began.class);
      Await.until("it has written all", () -> Files.exists(written));

      worker.kill();
      Failure failure =
          assertThrows(DiedException.class, () -> worker.await(Began.class)).failure();
      assertEquals(20, failure.lastLines().size());
      assertEquals(failure, failure(worker), "the same again");
    }
  }

  @Test
  void stop_whileItWorks_answersWithWhatItHas() throws Exception {
    try (WorkerJvm worker = start(new SmallWorker.Work())) {
      worker.await(Began.class);
      worker.stop();
      worker.stop();

      assertEquals(new Said("stopped"), answer(worker));
    }
  }

  @Test
  void stop_beforeTheTaskCanHearIt_isHeardAtOnce() throws Exception {
    try (WorkerJvm worker = start(new SmallWorker.WorkDeaf())) {
      worker.await(Began.class);
      worker.stop();

      assertEquals(new Said("heard: true"), answer(worker));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void signal_toAWorker_stopsIt() throws Exception {
    try (WorkerJvm worker = start(new SmallWorker.Work())) {
      signal("TERM", worker.await(Began.class).pid());

      assertEquals(new Said("stopped"), answer(worker));
    }
  }

  /** Ctrl-C reaches it together with the run, which still has to ask it something. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void signal_toAWorkerThatTakesCommands_isLeftToTheRun() throws Exception {
    try (WorkerJvm worker =
        start(SmallWorker.JVM, SmallWorker.Obedient.class, new SmallWorker.Repeat("a"))) {
      signal("TERM", worker.await(Began.class).pid());

      for (String more : List.of("b", "c")) {
        worker.tell(new SmallWorker.Repeat(more));
        assertEquals(new Said("a" + more), worker.await(Said.class));
      }
      worker.stop();
      assertEquals(new Said("no more"), answer(worker));
      assertThrows(DiedException.class, () -> worker.tell(new SmallWorker.Repeat("d")));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void kill_ofTheRun_endsTheWorker() throws Exception {
    try (ChildJvm run =
        ChildJvm.start(SmallWorker.KilledRun.class, temp.resolve("errors.txt").toString())) {
      ProcessHandle worker = ProcessHandle.of(Long.parseLong(run.nextLine())).orElseThrow();
      run.kill();

      Await.until("the worker has ended", () -> !worker.isAlive());
    }
  }

  @Test
  void worker_whoseRunIsGoneBeforeItSaysWhatToDo_ends() throws Exception {
    Process worker =
        new ProcessBuilder(SmallWorker.JVM.of(SmallWorker.class))
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("output.txt").toFile())
            .start();
    worker.getOutputStream().close();

    assertEquals(1, worker.waitFor());
    assertTrue(Files.readString(temp.resolve("output.txt")).contains("before it said what to do"));
  }

  /** Its child would hold its output open, for which the run would wait. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void kill_aScriptThatWaitsForItsChild_endsBoth() throws Exception {
    String began = ScriptedJvm.saying(new Began(1));
    try (WorkerJvm worker = ScriptedJvm.start(temp, "sleep 600 & " + began + "; wait")) {
      worker.await(Began.class);

      worker.kill();

      assertEquals("its JVM was ended by signal 9", failure(worker).reason());
    }
  }

  /** It ends neither with its input nor soon. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void close_whileItRuns_endsItAndItIsGone() throws Exception {
    Path pid = temp.resolve("pid");
    String progress =
        ScriptedJvm.saying(WorkerLine.Kind.PROGRESS, new Progress("a", OptionalDouble.empty(), ""));
    WorkerJvm worker =
        ScriptedJvm.start(temp, "echo $$ > " + pid + "; " + progress + "; exec sleep 600");

    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                worker.answer(
                    Said.class,
                    p -> {
                      throw new IllegalStateException("the listener broke");
                    }));
    worker.close(Duration.ofMillis(100));

    assertEquals("the listener broke", thrown.getMessage());
    long id = Long.parseLong(Files.readString(pid).strip());
    assertFalse(ProcessHandle.of(id).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  void onExit_ofAWorkerThatDied_runsTheAction() throws Exception {
    try (WorkerJvm worker = start(new SmallWorker.Work());
        WorkerJvm other = start(new SmallWorker.Work())) {
      worker.onExit(other::stop);
      worker.await(Began.class);
      worker.kill();

      assertEquals(new Said("stopped"), answer(other));
    }
  }

  @Test
  void workers_thatWereStopped_stopEachLaterOne() throws Exception {
    Workers workers = new Workers((step, stage, fraction, detail) -> {}, temp, Map.of());
    workers.stop();

    assertTrue(workers.stopped());
    assertEquals(
        new Said("stopped"),
        workers.run(
            "a step", SmallWorker.JVM, SmallWorker.class, new SmallWorker.Work(), Said.class));
  }

  @Test
  void complete_withALoginInTheEnvironment_handsOnNoneButItsOwn() {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(Login.USER_VARIABLE, "me", Login.PASSWORD_VARIABLE, "secret", "PATH", "/bin"));

    WorkerJvm.complete(environment, Map.of("A", "b"));

    assertEquals(Map.of("PATH", "/bin", "A", "b"), environment);
  }
}
