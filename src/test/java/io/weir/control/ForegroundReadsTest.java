package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForegroundReadsTest {

  @TempDir Path root;

  private KernelFiles kernel;
  private ForegroundReads reads;

  @BeforeEach
  void processThatHasReadAMegabyte() throws IOException {
    kernel = new KernelFiles(root);
    kernel.process(1_000_000);
    kernel.thread("a", 300);
    kernel.thread("b", 70);
    kernel.current("a");
    reads = new ForegroundReads(kernel.procfs());
  }

  @Test
  void whatAMergeReads_isNotOthers() throws IOException {
    reads.mergeBegins();
    long before = reads.bytes();

    kernel.thread("a", 300 + 5000);
    kernel.process(1_000_000 + 5000);
    assertEquals(before, reads.bytes());

    kernel.process(1_000_000 + 5000 + 4096);
    assertEquals(before + 4096, reads.bytes());
    assertEquals(before + 4096, reads.bytes());
  }

  @Test
  void whatAMergeHasRead_isNotOthersWhenItHasEnded() throws Exception {
    reads.mergeBegins();
    onAnotherThread("b", reads::mergeBegins);
    long before = reads.bytes();
    kernel.thread("a", 300 + 5000);
    kernel.thread("b", 70 + 200);
    kernel.process(1_000_000 + 5200);
    assertEquals(before, reads.bytes());

    reads.mergeEnds();
    assertEquals(before, reads.bytes());

    kernel.thread("a", 300 + 5000 + 64); // it searches now
    kernel.process(1_000_000 + 5200 + 64);
    assertEquals(before + 64, reads.bytes());
  }

  /** What merges read since the process was looked at makes the others' share too small. */
  @Test
  void shareThatWouldShrink_waitsUntilItGrows() throws IOException {
    reads.mergeBegins();
    long before = reads.bytes();

    kernel.thread("a", 300 + 5000);
    assertEquals(before, reads.bytes());
    kernel.process(1_000_000 + 5000);
    assertEquals(before, reads.bytes());
    kernel.process(1_000_000 + 5001);
    assertEquals(before + 1, reads.bytes());
  }

  /** A merge's own thread may do a part that it gave away. */
  @Test
  void whatAMergeReadsInAPartOfItsOwn_isTakenOffOnce() throws IOException {
    reads.mergeBegins();
    long before = reads.bytes();
    reads.mergeBegins();
    kernel.thread("a", 300 + 5000);
    kernel.process(1_000_000 + 5000);
    assertEquals(before, reads.bytes());
    reads.mergeEnds();
    kernel.thread("a", 300 + 6000);
    kernel.process(1_000_000 + 6000);
    assertEquals(before, reads.bytes());
    reads.mergeEnds();
    kernel.process(1_000_000 + 6001);
    reads.mergeBegins();
    assertEquals(before + 1, reads.bytes());
  }

  @Test
  void noMergeRuns_nobodyLooks() throws IOException {
    assertEquals(0, reads.bytes());
    reads.mergeBegins();
    long before = reads.bytes();
    reads.mergeEnds();
    kernel.process(2_000_000);
    assertEquals(before, reads.bytes());
    reads.mergeEnds(); // that of another, which could not begin
    reads.mergeBegins();
    assertEquals(before + 1_000_000, reads.bytes());
  }

  @Test
  void kernelThatTellsNothing_isSilence() throws IOException {
    ForegroundReads none = new ForegroundReads(new KernelFiles(root.resolve("none")).procfs());
    none.mergeBegins();
    assertEquals(0, none.bytes());
    none.mergeEnds();
    assertEquals(0, none.bytes());
  }

  private void onAnotherThread(String name, Runnable act) throws Exception {
    kernel.current(name);
    FutureTask<Void> task = new FutureTask<>(act, null);
    Thread.ofPlatform().start(task);
    task.get();
    kernel.current("a");
  }
}
