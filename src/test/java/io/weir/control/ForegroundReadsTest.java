package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.control.ReadersFirst.ForegroundReads;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  void bytesSinceLast_ofAMerge_areNotOthers() throws IOException {
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());

    kernel.thread("a", 300 + 5000);
    kernel.process(1_000_000 + 5000);
    assertEquals(0, reads.bytesSinceLast());

    kernel.process(1_000_000 + 5000 + 4096);
    assertEquals(4096, reads.bytesSinceLast());
    assertEquals(0, reads.bytesSinceLast());
  }

  @Test
  void bytesSinceLast_ofAMergeThatHasEnded_areNotOthers() throws Exception {
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());
    onAnotherThread("b", reads::mergeBegins);
    kernel.thread("a", 300 + 5000);
    kernel.thread("b", 70 + 200);
    kernel.process(1_000_000 + 5200);
    assertEquals(0, reads.bytesSinceLast());

    kernel.thread("a", 300 + 6000);
    kernel.process(1_000_000 + 6200);
    reads.mergeEnds(Thread.currentThread());
    assertEquals(0, reads.bytesSinceLast());

    kernel.thread("a", 300 + 6000 + 64); // it searches now
    kernel.process(1_000_000 + 6200 + 64);
    assertEquals(64, reads.bytesSinceLast());
  }

  /** What merges read since the process was looked at makes the others' share too small. */
  @Test
  void bytesSinceLast_processCountsLate_areTakenOffTheNextTime() throws IOException {
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());

    kernel.thread("a", 300 + 5000);
    assertEquals(0, reads.bytesSinceLast());
    kernel.process(1_000_000 + 5000);
    assertEquals(0, reads.bytesSinceLast());
    kernel.process(1_000_000 + 5001);
    assertEquals(1, reads.bytesSinceLast());
  }

  /** A merge's own thread may do a part that it gave away. */
  @Test
  void bytesSinceLast_ofAPartOfTheMergesOwn_areTakenOffOnce() throws IOException {
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());
    reads.mergeBegins();
    kernel.thread("a", 300 + 5000);
    kernel.process(1_000_000 + 5000);
    assertEquals(0, reads.bytesSinceLast());
    reads.mergeEnds(Thread.currentThread());
    kernel.thread("a", 300 + 6000);
    kernel.process(1_000_000 + 6001);
    assertEquals(1, reads.bytesSinceLast());
  }

  @Test
  void rest_thenAskedAgain_beginsAnew() throws IOException {
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());
    reads.rest();
    kernel.process(2_000_000);
    assertEquals(0, reads.bytesSinceLast());
    kernel.process(2_000_001);
    assertEquals(1, reads.bytesSinceLast());
  }

  @Test
  void noMergeRuns_nobodyLooks() throws IOException {
    assertEquals(0, reads.bytesSinceLast());
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());
    reads.mergeEnds(Thread.currentThread());
    kernel.process(2_000_000);
    assertEquals(0, reads.bytesSinceLast());
    reads.mergeEnds(Thread.currentThread()); // that of another, which could not begin
    reads.mergeBegins();
    assertEquals(0, reads.bytesSinceLast());
  }

  @Test
  void countersThatCannotBeRead_failTheLookAndNoMerge() {
    ForegroundReads none = new ForegroundReads(new KernelFiles(root.resolve("none")).procfs());
    none.mergeBegins();
    assertThrows(UncheckedIOException.class, none::bytesSinceLast);
    none.rest();
    none.mergeEnds(Thread.currentThread());
    assertEquals(0, none.bytesSinceLast());
  }

  private void onAnotherThread(String name, Runnable act) throws Exception {
    kernel.current(name);
    FutureTask<Void> task = new FutureTask<>(act, null);
    Thread.ofPlatform().start(task);
    task.get();
    kernel.current("a");
  }
}
