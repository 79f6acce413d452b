package io.weir.jvm;

import io.weir.run.FailureWords.ReserveException;
import io.weir.suite.ChildJvm;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;

/** The small worker of the tests: it ends in every way in which one can. */
final class SmallWorker {

  /** Small enough to start at once. */
  static final JvmCommand JVM =
      new JvmCommand(
          Optional.empty(), List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));

  /** What it can be asked to do. */
  sealed interface Task {}

  /** To answer this text, {@link Said}; first it is half done. */
  record Repeat(String text) implements Task {}

  /** The same, while a library and the JVM write to its standard output. */
  record RepeatInNoise(String text) implements Task {}

  /** To throw. */
  record Fail(String message) implements Task {}

  /** To find its disk full. */
  record FillTheDisk(Path place) implements Task {}

  /** To say {@link Began}, to print more than a pipe holds, and to leave a file when it has. */
  record Print(Path written) implements Task {}

  /** To say {@link Began}, and to answer how many documents there are when it is stopped. */
  record Work() implements Task {}

  /** The same, but it looks for what stops it only when it is stopped. */
  record WorkDeaf() implements Task {}

  /** An answer, and that to a command. */
  record Said(String text) {}

  /** Its task has begun. */
  record Began(long pid) {}

  private static final int LINES = 10_000;

  private SmallWorker() {}

  public static void main(String[] arguments) {
    Worker.run(Task.class, SmallWorker::run);
  }

  private static Object run(Task task, Worker worker) throws Exception {
    return switch (task) {
      case Repeat repeat -> {
        worker.progress("repeating", OptionalDouble.of(0.5), "half");
        yield new Said(repeat.text());
      }
      case RepeatInNoise repeat -> {
        noise();
        yield new Said(repeat.text());
      }
      case Fail fail -> throw new IOException("outside", new IllegalStateException(fail.message()));
      case FillTheDisk disk -> {
        worker.writesTo(disk.place());
        throw new ReserveException("the disk of " + disk.place() + " is full: 1.0 MB free");
      }
      case Print print -> {
        began(worker);
        PrintStream output = ChildJvm.output();
        for (int i = 0; i < LINES; i++) {
          output.println(
              "[0.042s][info][gc] a line of about 100 characters, as a collector logs it " + i);
        }
        Files.createFile(print.written());
        yield untilStopped(worker);
      }
      case Work work -> {
        began(worker);
        yield untilStopped(worker);
      }
      case WorkDeaf work -> {
        began(worker);
        while (!worker.stopped()) {
          NanoClock.SYSTEM.parkNanos(worker, 1_000_000);
        }
        AtomicBoolean heard = new AtomicBoolean();
        worker.onStop(() -> heard.set(true));
        yield new Said("heard: " + heard);
      }
    };
  }

  private static void began(Worker worker) {
    worker.say(new Began(ProcessHandle.current().pid()));
  }

  private static Said untilStopped(Worker worker) {
    Thread main = Thread.currentThread();
    worker.onStop(() -> NanoClock.SYSTEM.unpark(main));
    while (!worker.stopped()) {
      NanoClock.SYSTEM.park(worker);
    }
    return new Said("stopped");
  }

  /** Half lines of a library, and lines of the JVM when it is asked to log collections. */
  private static void noise() {
    PrintStream output = ChildJvm.output();
    Thread library =
        new Thread(
            () -> {
              while (true) {
                output.print("half a line");
                output.flush();
                System.gc();
              }
            });
    library.setDaemon(true);
    library.start();
  }

  /** A worker that takes commands. */
  static final class Obedient {

    private Obedient() {}

    public static void main(String[] arguments) {
      Worker.serve(
          Repeat.class,
          (task, worker) -> {
            began(worker);
            for (Optional<Repeat> asked = next(worker); asked.isPresent(); asked = next(worker)) {
              worker.say(new Said(task.text() + asked.get().text()));
            }
            return new Said("no more");
          });
    }

    private static Optional<Repeat> next(Worker worker) throws Exception {
      return worker.next(Repeat.class, () -> false);
    }
  }

  /** A run that is killed: it starts a worker and waits for it. */
  static final class KilledRun {

    private KilledRun() {}

    public static void main(String[] arguments) throws Exception {
      try (WorkerJvm worker =
          WorkerJvm.start(
              "it", JVM, SmallWorker.class, new Work(), Path.of(arguments[0]), Map.of())) {
        ChildJvm.endWithTheTest();
        ChildJvm.output().println(worker.await(Began.class).pid());
        worker.answer(Said.class, progress -> {});
      }
    }
  }
}
