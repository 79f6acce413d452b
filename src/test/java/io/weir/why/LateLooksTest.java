package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which work is late, with files of the kernel that a test writes. */
class LateLooksTest {

  private static final long MILLI = 1_000_000;
  private static final int SEARCH = 21;
  private static final int MERGE = 22;

  @TempDir Path root;

  private void thread(int number, char state, String call) throws IOException {
    Path task = Files.createDirectories(root.resolve("proc/4711/task/" + number));
    Files.writeString(task.resolve("stat"), number + " (java) " + state + " 1 0\n");
    Files.writeString(task.resolve("syscall"), call + "\n");
  }

  private static ThreadDump.Thread thread(int number, String frame) {
    int dot = frame.lastIndexOf('.');
    return new ThreadDump.Thread(
        "thread",
        OptionalLong.of(number),
        OptionalLong.empty(),
        false,
        List.of(new StackTraceElement(frame.substring(0, dot), frame.substring(dot + 1), null, 1)));
  }

  private static final List<ThreadDump.Thread> THREADS =
      List.of(
          thread(SEARCH, "org.apache.lucene.search.IndexSearcher.search"),
          thread(MERGE, "org.apache.lucene.index.IndexWriter.merge"));

  @Test
  void facts_ofLooksThatWaitForAPageFault_nameTheWork_andNotThatOfASystemCall() throws IOException {
    LateLooks late = new LateLooks(new Procfs(root).of(4711));
    late.add(0, THREADS);
    thread(SEARCH, 'D', "-1 0x7ffd 0x7f00");
    thread(MERGE, 'D', "0 0x3 0x7ffd 0x7f00"); // it reads a file
    late.await(20 * MILLI);
    late.await(60 * MILLI);
    thread(SEARCH, 'R', "running");
    late.await(80 * MILLI); // it prints
    late.add(0, THREADS);
    thread(SEARCH, 'S', "202 0x0");
    thread(MERGE, 'D', "-1 0x7ffd 0x7f00");
    late.await(1020 * MILLI);
    late.add(1000 * MILLI, THREADS);

    Map<Fact, Double> facts = late.facts();
    assertEquals(2, facts.get(Fact.LOOKS_LATE));
    assertEquals(60, facts.get(Fact.LOOKS_LATEST));
    assertEquals(75, facts.get(Fact.heldBy(Activity.SEARCH)), 1e-9);
    assertEquals(25, facts.get(Fact.heldBy(Activity.MERGE)), 1e-9);
  }

  @Test
  void facts_ofLooksThatWaitedForNoThread_areNone() throws IOException {
    LateLooks late = new LateLooks(new Procfs(root).of(4711));
    late.add(0, THREADS);
    thread(SEARCH, 'D', "0 0x3 0x7ffd 0x7f00");
    late.await(20 * MILLI);
    late.add(0, THREADS);

    assertEquals(Map.of(), late.facts());
  }
}
