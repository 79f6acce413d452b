package io.weir.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackMethod;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Bits;
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
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledWriterTest {

  private static final int ROUNDS = Integer.getInteger("weir.kill.rounds", 3);
  private static final int MOST_LINES_OF_A_MERGE = 300;

  private final long seed = Long.getLong("weir.kill.seed", System.nanoTime());
  private Path index;
  private Process writer;
  private long committed = -1;
  private final long[] mostSaidOfMerges = new long[4];

  /** Not in the temporary directory, which may be memory. */
  @BeforeEach
  void makeDirectory() throws IOException {
    index = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "killed-writer");
  }

  @AfterEach
  void clean() throws Exception {
    if (writer != null) {
      writer.destroyForcibly().waitFor();
    }
    IOUtils.rm(index);
  }

  @Test
  void kill_atARandomMomentOfAMerge_leavesAllThatWasCommitted(TestReporter reporter)
      throws Exception {
    reporter.publishEntry("seed", Long.toString(seed));
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String when = "round " + round + " with -Dweir.kill.seed=" + seed;
      killAfter(1 + random.nextInt(MOST_LINES_OF_A_MERGE), when);
      assertWhole(when);
    }
    assertAllOfTheWritePathWasUsed();
  }

  /** Kills it when it has said for the given time that a merge runs. */
  private void killAfter(int linesOfAMerge, String when) throws Exception {
    writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-ea",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                index.toString(),
                Long.toString(seed))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = writer.inputReader()) {
      for (int lines = 0; lines < linesOfAMerge; ) {
        String line = out.readLine();
        assertTrue(line != null, when + ": it ended by itself");
        if (read(line, when)) {
          lines++;
        }
      }
      writer.toHandle().destroyForcibly(); // Process.destroyForcibly would close its output
      // What it had said by then counts: it was told that this is committed. The last line may be
      // cut off.
      String line = out.readLine();
      for (String next = out.readLine(); next != null; line = next, next = out.readLine()) {
        read(line, when);
      }
    } finally {
      writer.destroyForcibly().waitFor();
    }
    assertEquals(128 + 9, writer.exitValue(), when);
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
    try (Directory directory = FSDirectory.open(index);
        CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean, when);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        long last = Long.parseLong(reader.getIndexCommit().getUserData().get(KilledWriter.BATCH));
        // One commit may have been done and not yet said, and that line cut off.
        assertTrue(
            last >= committed && last <= committed + 2, when + ": " + last + " of " + committed);
        committed = last;
        assertEquals(expected(last), actual(reader), when);
      }
    }
  }

  private Map<String, Long> expected(long last) {
    Map<String, Long> batchOfKey = new HashMap<>();
    for (long batch = 0; batch <= last; batch++) {
      for (int key : KilledWriter.keys(seed, batch)) {
        batchOfKey.put(Integer.toString(key), batch);
      }
    }
    return batchOfKey;
  }

  private static Map<String, Long> actual(DirectoryReader reader) throws IOException {
    Map<String, Long> batchOfKey = new HashMap<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (live == null || live.get(doc)) {
          Document document = leaf.reader().storedFields().document(doc);
          Long former =
              batchOfKey.put(
                  document.get("id"),
                  document.getField(KilledWriter.BATCH).numericValue().longValue());
          assertEquals(null, former, () -> "twice: " + document.get("id"));
        }
      }
    }
    return batchOfKey;
  }

  /** Not in each round: it may have been killed when a merge had just begun. */
  private void assertAllOfTheWritePathWasUsed() throws IOException {
    assertTrue(mostSaidOfMerges[0] > 0, "bytes granted");
    try (WritebackDirectory directory = new WritebackDirectory(FSDirectory.open(index))) {
      if (directory.method() == WritebackMethod.SYNC_FILE_RANGE) {
        assertTrue(mostSaidOfMerges[1] > 0, "ranges smoothed");
      }
    }
    assertTrue(mostSaidOfMerges[2] > 0, "small files read");
    assertTrue(mostSaidOfMerges[3] > 0, "resident keys");
  }
}
