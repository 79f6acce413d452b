package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.SteppedClock;
import io.weir.procfs.Procfs;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a kernel of text files, where this thread is number 71 and another, if any, the same. */
class MergeReadsTest {

  @TempDir Path root;

  private final SteppedClock clock = new SteppedClock();

  @Test
  void totals_ofAMerge_areWhatItsThreadReadMeanwhile() throws Exception {
    MergeReads reads = reads();
    kernelSays(1000);
    reads.begin();
    kernelSays(5000);
    assertEquals(new MergeReads.Totals(0, 0, 0), reads.totals().orElseThrow());
    reads.end();
    kernelSays(9000);
    reads.sample();
    assertEquals(new MergeReads.Totals(4000, 0, 0), reads.totals().orElseThrow());
  }

  @Test
  void sample_whileItVerifies_countsSinceTheLastLook() throws Exception {
    MergeReads reads = reads();
    kernelSays(1000);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread merge = Thread.ofPlatform().unstarted(() -> merge(reads, goOn));
    merge.start();
    Await.until("it verifies", () -> merge.getState() == Thread.State.WAITING);
    kernelSays(4000);
    clock.advanceNanos(70);
    reads.sample();
    assertEquals(new MergeReads.Totals(3000, 3000, 70), reads.totals().orElseThrow());
    kernelSays(4500);
    clock.advanceNanos(5);
    goOn.countDown();
    merge.join();
    assertEquals(new MergeReads.Totals(3500, 3000, 70), reads.totals().orElseThrow());
  }

  @Test
  void totals_kernelDoesNotTell_areAbsent() {
    MergeReads reads = reads();
    reads.begin();
    reads.end();
    assertEquals(Optional.empty(), reads.totals());
  }

  private static void merge(MergeReads reads, CountDownLatch goOn) {
    reads.begin();
    checksumEntireFile(goOn);
    reads.end();
  }

  /** Named as Lucene's. */
  private static void checksumEntireFile(CountDownLatch goOn) {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MergeReads reads() {
    return new MergeReads(new Procfs(root), clock);
  }

  private void kernelSays(long readBytes) throws IOException {
    Path thread = Files.createDirectories(root.resolve("proc/self/task/71"));
    Files.writeString(thread.resolve("io"), "rchar: 1\nread_bytes: " + readBytes + "\n");
    Path self = Files.createDirectories(root.resolve("proc/thread-self"));
    Files.writeString(self.resolve("stat"), "71 (Lucene Merge Th) R 1 2 3\n");
  }
}
