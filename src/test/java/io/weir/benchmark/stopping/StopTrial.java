package io.weir.benchmark.stopping;

import io.weir.fakes.CountingDirectory;
import io.weir.stress.index.IndexSchema;
import io.weir.suite.LinkedIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * One stop: a forced merge runs free until it has written so many bytes, then the brake is pulled,
 * then the writer is stopped while the merge is held back.
 *
 * @param nanos from the call to its return; the time allowed when it did not return in time
 * @param inTime whether it returned within the time allowed
 */
record StopTrial(long nanos, boolean inTime) {

  /** How the writer is stopped. */
  enum Stop {
    ROLLBACK("rollback"),
    CLOSE("close");

    private final String title;

    Stop(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    void run(IndexWriter writer) throws IOException {
      if (this == CLOSE) {
        writer.close();
      } else {
        writer.rollback();
      }
    }
  }

  private static final long LOOK_AGAIN_NANOS = 50_000;
  private static final long HELD_BACK_NANOS = 20_000_000;
  private static final int TRIES = 10;

  static StopTrial run(Path index, Brake brake, Stop stop, long freeBytes, long allowedNanos)
      throws Exception {
    for (int left = TRIES; left > 0; left--) {
      Optional<StopTrial> trial = tryOnce(index, brake, stop, freeBytes, allowedNanos);
      if (trial.isPresent()) {
        return trial.get();
      }
    }
    throw new IllegalStateException("the merge ended before it was to be stopped");
  }

  /** Empty if the merge had ended before this thread had a processor to hold it back. */
  private static Optional<StopTrial> tryOnce(
      Path index, Brake brake, Stop stop, long freeBytes, long allowedNanos) throws Exception {
    Path copy = Files.createTempDirectory(index.getParent(), "copy");
    LinkedIndex.copy(index, copy);
    try (FSDirectory disk = FSDirectory.open(copy)) {
      CountingDirectory counted = new CountingDirectory(disk);
      Brake.Applied applied = brake.apply(counted);
      Optional<StopTrial> trial = stop(applied, counted, stop, freeBytes, allowedNanos);
      check(disk);
      return trial;
    } finally {
      delete(copy);
    }
  }

  private static Optional<StopTrial> stop(
      Brake.Applied applied,
      CountingDirectory counted,
      Stop stop,
      long freeBytes,
      long allowedNanos)
      throws Exception {
    IndexWriter writer =
        new IndexWriter(
            applied.directory(),
            new IndexWriterConfig(IndexSchema.analyzer())
                .setMergeScheduler(applied.scheduler())
                .setMergePolicy(new TieredMergePolicy()));
    Thread forced = Thread.ofPlatform().daemon().start(() -> forceMerge(writer));
    while (counted.bytes() < freeBytes && forced.isAlive()) {
      Thread.onSpinWait();
    }
    applied.pull().run();
    // So long that a merge under the cap has used up what was left to it, and now waits.
    long heldBackNanos = System.nanoTime() + HELD_BACK_NANOS;
    while (System.nanoTime() < heldBackNanos) {
      java.util.concurrent.locks.LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    if (!forced.isAlive()) {
      applied.release().run();
      writer.rollback();
      return Optional.empty();
    }
    FutureTask<Long> stopped =
        new FutureTask<>(
            () -> {
              long startNanos = System.nanoTime();
              stop.run(writer);
              return System.nanoTime() - startNanos;
            });
    Thread.ofPlatform().start(stopped);
    StopTrial trial;
    try {
      trial = new StopTrial(stopped.get(allowedNanos, TimeUnit.NANOSECONDS), true);
    } catch (TimeoutException e) {
      trial = new StopTrial(allowedNanos, false);
      applied.release().run();
      await(stopped);
    }
    forced.join();
    return Optional.of(trial);
  }

  private static void await(FutureTask<Long> stopped) throws InterruptedException {
    try {
      stopped.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the stop failed", e.getCause());
    }
  }

  /** It is meant to be stopped, and says so. */
  private static void forceMerge(IndexWriter writer) {
    try {
      writer.forceMerge(1);
    } catch (IOException | RuntimeException e) {
      // The merge was aborted or the writer closed, which is what the trial is about.
    }
  }

  private static void check(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      if (!check.checkIndex().clean) {
        throw new IllegalStateException("the index is broken after the stop");
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
