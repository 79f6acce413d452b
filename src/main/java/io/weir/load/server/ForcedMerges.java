package io.weir.load.server;

import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;

/**
 * Merges the index to one segment, again and again, so that each step of load has such a merge
 * beside it. Without updates the first leaves nothing to merge; then this waits.
 *
 * <p><b>Threads:</b> any; it merges on its own. <b>Failure:</b> the first one ends it and is kept.
 */
final class ForcedMerges implements Closeable {

  private static final long BETWEEN_NANOS = 100_000_000;

  private final IndexWriter writer;
  private final NanoClock clock;
  private final Thread thread;
  private volatile boolean closing;
  private volatile Optional<Throwable> failure = Optional.empty();
  private long endedNanos; // guarded by this
  private Optional<Long> runningSince = Optional.empty(); // guarded by this

  /** Begins. */
  ForcedMerges(IndexWriter writer, NanoClock clock) {
    this.writer = writer;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("weir-forced-merges").start(this::run);
  }

  /** How long merges have run, the one that runs included. */
  synchronized long mergingNanos() {
    return endedNanos + runningSince.map(since -> clock.nanoTime() - since).orElse(0L);
  }

  /** What ended this early. */
  Optional<Throwable> failure() {
    return failure;
  }

  private void run() {
    try {
      while (!closing) {
        if (segments() > 1) {
          merge();
        } else {
          clock.parkNanos(this, BETWEEN_NANOS);
        }
      }
    } catch (Throwable t) {
      if (!closing) { // when the server ends, it closes the writer under a merge
        failure = Optional.of(t);
      }
    }
  }

  private void merge() throws IOException {
    synchronized (this) {
      runningSince = Optional.of(clock.nanoTime());
    }
    try {
      writer.forceMerge(1);
    } finally {
      synchronized (this) {
        endedNanos = mergingNanos();
        runningSince = Optional.empty();
      }
    }
  }

  private int segments() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      return reader.leaves().size();
    }
  }

  /** Begins no further one; whoever closes the writer ends the one that runs. */
  @Override
  public void close() {
    closing = true;
    clock.unpark(thread);
  }
}
