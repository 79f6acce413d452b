package io.weir.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackMethod;
import io.weir.suite.ChildJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Kills a writer with {@code kill -9} at random moments of its merges, each time on what the last
 * one left, and looks whether all that was committed is there: as the commit says, key by key.
 *
 * <p>That shows what Weir leaves behind at any moment. It does not show what a power cut leaves:
 * the kernel lives on and writes all that the process had handed to it.
 *
 * <p>{@code -Dweir.kill.rounds=20} kills twenty times; {@code -Dweir.kill.seed} repeats a choice of
 * keys and moments, as far as the machine does.
 */
@Slow("starts writers and kills them")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledWriterTest {

  private static final int ROUNDS = Integer.getInteger("weir.kill.rounds", 3);
  private static final int MANY_ROUNDS = 20;
  private static final int MOST_LINES_OF_A_MERGE = 300;

  /** In the last round, until all of the write path was used: a slow machine takes its time. */
  private static final int MOST_LINES_OF_THE_LAST = 20_000;

  private final long seed = Long.getLong("weir.kill.seed", System.nanoTime());
  private Path index;
  private long committed = -1;
  private final long[] mostSaidOfMerges = new long[4];
  private boolean smooths;

  /** Not in the temporary directory, which may be memory. */
  @BeforeEach
  void makeDirectory() throws IOException {
    index = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "killed-writer");
    try (WritebackDirectory directory = new WritebackDirectory(FSDirectory.open(index))) {
      smooths = directory.method() == WritebackMethod.SYNC_FILE_RANGE;
    }
  }

  @AfterEach
  void clean() throws IOException {
    IOUtils.rm(index);
  }

  @Test
  void kill_atARandomMomentOfAMerge_leavesAllThatWasCommitted(TestReporter reporter)
      throws Exception {
    killInTurn(ROUNDS, reporter);
  }

  @Test
  @LongRun("twenty kills; kill_atARandomMomentOfAMerge_leavesAllThatWasCommitted has fewer")
  void kill_twentyTimes_leavesAllThatWasCommitted(TestReporter reporter) throws Exception {
    killInTurn(MANY_ROUNDS, reporter);
  }

  private void killInTurn(int rounds, TestReporter reporter) throws Exception {
    reporter.publishEntry("seed", Long.toString(seed));
    Random random = new Random(seed);
    for (int round = 0; round < rounds; round++) {
      String when = "round " + round + " with -Dweir.kill.seed=" + seed;
      killAfter(1 + random.nextInt(MOST_LINES_OF_A_MERGE), round == rounds - 1, when);
      assertWhole(when);
    }
    assertEquals(List.of(), unusedOfTheWritePath());
  }

  /**
   * Kills it when it has said for the given time that a merge runs; in the last round not before
   * all of the write path was used.
   */
  private void killAfter(int linesOfAMerge, boolean last, String when) throws Exception {
    try (ChildJvm writer =
        ChildJvm.start(KilledWriter.class, index.toString(), Long.toString(seed))) {
      for (int lines = 0;
          lines < linesOfAMerge
              || last && lines < MOST_LINES_OF_THE_LAST && !unusedOfTheWritePath().isEmpty(); ) {
        if (read(writer.nextLine(), when)) {
          lines++;
        }
      }
      writer.kill();
      // What it had said by then counts: it was told that this is committed.
      for (String line : writer.lastLines()) {
        read(line, when);
      }
      assertEquals(ChildJvm.KILLED, writer.exitCode(), when);
    }
  }

  /** Whether it says that a merge runs. */
  private boolean read(String line, String when) {
    String[] words = line.split(" ");
    switch (words[0]) {
      case "committed" -> committed = Long.parseLong(words[1]);
      case "merging" -> {
        for (int figure = 0; figure < mostSaidOfMerges.length; figure++) {
          long said = Long.parseLong(words[figure + 1]);
          mostSaidOfMerges[figure] = Math.max(mostSaidOfMerges[figure], said);
        }
      }
      default -> throw new AssertionError(when + ": " + line);
    }
    return words[0].equals("merging");
  }

  private void assertWhole(String when) throws IOException {
    long last = KilledWriter.index(seed).check(index);
    // One commit may have been done and not yet said, and that line cut off.
    assertTrue(last >= committed && last <= committed + 2, when + ": " + last + " of " + committed);
    committed = last;
  }

  /** What no merge has used so far; not in each round, as it may begin with the kill. */
  private List<String> unusedOfTheWritePath() {
    List<String> unused = new ArrayList<>();
    List<String> figures =
        List.of("bytes granted", "ranges smoothed", "small files read", "resident keys");
    for (int figure = 0; figure < figures.size(); figure++) {
      boolean expected = figure != 1 || smooths;
      if (expected && mostSaidOfMerges[figure] == 0) {
        unused.add(figures.get(figure));
      }
    }
    return unused;
  }
}
