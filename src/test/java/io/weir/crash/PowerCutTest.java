package io.weir.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.crash.VolatileDisk.Flush;
import io.weir.suite.ChildJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Cuts the power at random moments, each time on what the last cut left, and looks whether all that
 * was committed is there. The control is the same disk with a cache that ignores flushes: it must
 * be caught losing commits.
 *
 * <p>{@code -Dweir.powercut.rounds=20} cuts twenty times; {@code -Dweir.powercut.seed} repeats a
 * choice of moments, as far as the machine does. Skipped, with the reason, where no such disk can
 * be made: it needs Linux, root, loop devices, FUSE, e2fsprogs, and nbdkit with nbdfuse (Debian:
 * {@code nbdkit libnbd-bin}).
 */
@Slow("starts writers on a disk of its own")
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PowerCutTest {

  private static final int ROUNDS = Integer.getInteger("weir.powercut.rounds", 2);
  private static final int MANY_ROUNDS = 20;
  private static final int MOST_ROUNDS_OF_THE_CONTROL = 5;
  private static final int MOST_LINES = 150;

  private final long seed = Long.getLong("weir.powercut.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private VolatileDisk disk;
  private long committed = -1;
  private long smoothedRanges;

  @BeforeEach
  void plugIn() throws Exception {
    VolatileDisk.assumePossible();
    disk = VolatileDisk.make();
  }

  @AfterEach
  void takeDown() throws Exception {
    if (disk != null) {
      disk.remove();
    }
  }

  @Test
  void powerCut_atARandomMoment_leavesAllThatWasCommitted(TestReporter reporter) throws Exception {
    cutInTurn(ROUNDS, reporter);
  }

  @Test
  @LongRun("twenty cuts; powerCut_atARandomMoment_leavesAllThatWasCommitted has fewer")
  void powerCut_twentyTimes_leavesAllThatWasCommitted(TestReporter reporter) throws Exception {
    cutInTurn(MANY_ROUNDS, reporter);
  }

  private void cutInTurn(int rounds, TestReporter reporter) throws Exception {
    reporter.publishEntry("seed", Long.toString(seed));
    for (int round = 0; round < rounds; round++) {
      String when = "round " + round + " with -Dweir.powercut.seed=" + seed;
      long before = committed;
      disk.up(Flush.OBEYED);
      // A cut early in a small index can come before anything was smoothed; the last one waits.
      cutWhileItWrites(when, round == rounds - 1 ? 1 : 0);
      assertTrue(committed > before, when + ": nothing was committed");
      disk.up(Flush.OBEYED);
      long last = CutWriter.INDEX.check(index());
      // One commit may have been done and not reported.
      assertTrue(
          last == committed || last == committed + 1, when + ": " + last + " of " + committed);
      committed = last;
      disk.down();
      reporter.publishEntry("round " + round, "committed " + committed);
    }
    assertTrue(smoothedRanges > 0, "nothing was smoothed before a cut");
  }

  @Test
  void powerCut_onADiskThatIgnoresFlushes_isCaughtLosingCommits(TestReporter reporter)
      throws Exception {
    for (int round = 0; round < MOST_ROUNDS_OF_THE_CONTROL; round++) {
      disk.up(Flush.IGNORED);
      cutWhileItWrites("the control, with -Dweir.powercut.seed=" + seed, 0);
      try {
        disk.up(Flush.OBEYED);
        long last = CutWriter.INDEX.check(index());
        if (last < committed) {
          reporter.publishEntry("lost", last + " of " + committed + " was left");
          return;
        }
        disk.down();
      } catch (AssertionError | IOException | RuntimeException e) {
        reporter.publishEntry("lost", e.toString());
        return; // no file system, no index, a corrupt one, or documents missing
      }
    }
    throw new AssertionError("a disk that ignores flushes lost nothing: the cuts prove nothing");
  }

  private Path index() {
    return disk.mount().resolve("index");
  }

  /**
   * Cuts the power after the writer has printed a random number of lines, reported a commit, and at
   * least once in this test reported {@code ranges} smoothed ranges.
   */
  private void cutWhileItWrites(String when, long ranges) throws Exception {
    try (ChildJvm writer = ChildJvm.start(CutWriter.class, index().toString())) {
      long before = committed;
      int lines = 1 + random.nextInt(MOST_LINES);
      while (lines > 0 || committed <= before || smoothedRanges < ranges) {
        read(writer.nextLine(), when);
        lines--;
      }
      disk.cut();
      // What it still says counts: a commit that comes back without an error is a commit.
      for (String line : writer.lastLines()) {
        read(line, when);
      }
    }
    disk.down();
  }

  private void read(String line, String when) {
    String[] words = line.split(" ");
    switch (words[0]) {
      case "committed" -> committed = Long.parseLong(words[1]);
      case "merging" -> smoothedRanges = Math.max(smoothedRanges, Long.parseLong(words[1]));
      default -> throw new AssertionError(when + ": " + line);
    }
  }
}
