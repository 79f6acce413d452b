package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.weir.stress.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/**
 * The command line in the JVM of the test, for help, plans and refusals: all that ends before
 * anything is begun. It takes milliseconds, a {@link WeirProcess} takes seconds.
 *
 * <p>A relative path is one below this JVM's working directory, so arguments name in full what a
 * command may make. A test of the working directory, the environment, the locale or a signal needs
 * a process.
 */
final class InProcess {

  /** As that of a process; it only bounds a failure. */
  private static final Duration LIMIT = Duration.ofSeconds(180);

  /** What commands make where they are run unless an argument names another place. */
  private static final List<Path> MADE_BY_DEFAULT =
      List.of(Path.of("weir-runs"), Path.of("weir-history"));

  private InProcess() {}

  /**
   * Runs {@code weir} to its end, and holds that it leaves nothing in this JVM and its directory.
   */
  static WeirProcess.Ended run(String... arguments) {
    Set<Path> files = madeByDefault();
    Set<Thread> threads = Thread.getAllStackTraces().keySet();
    Locale format = Locale.getDefault(Locale.Category.FORMAT);
    WeirProcess.Ended ended;
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // as main does
    try {
      ended = assertTimeoutPreemptively(LIMIT, () -> execute(arguments));
      assertEquals(Locale.ROOT, Locale.getDefault(Locale.Category.FORMAT));
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, format);
    }
    assertEquals(files, madeByDefault(), ended.toString());
    Await.until("the end of its threads", () -> begunSince(threads).isEmpty());
    return ended;
  }

  private static WeirProcess.Ended execute(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new WeirProcess.Ended(exitCode, out.toString(), err.toString());
  }

  private static Set<Path> madeByDefault() {
    Set<Path> made = new TreeSet<>();
    for (Path directory : MADE_BY_DEFAULT) {
      if (Files.exists(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          files.forEach(made::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return made;
  }

  private static Set<Thread> begunSince(Set<Thread> before) {
    Set<Thread> begun = new HashSet<>(Thread.getAllStackTraces().keySet());
    begun.removeAll(before);
    begun.removeIf(InProcess::isOfJava);
    return begun;
  }

  /** Threads of the JDK that serve the whole JVM, and stay for a while after they were of use. */
  private static boolean isOfJava(Thread thread) {
    return thread instanceof ForkJoinWorkerThread worker
            && worker.getPool() == ForkJoinPool.commonPool()
        || thread.getName().startsWith("process reaper")
        || thread.getName().endsWith("elayScheduler"); // of timeouts of CompletableFuture
  }
}
