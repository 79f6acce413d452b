package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * Lets merged segments be opened, and warmed if the application has a warmer, on the thread of
 * their merge, before any reader sees them. Else the first reopen after a merge opens all files of
 * the new segment itself, each with cold reads of its header and footer.
 *
 * <p>In one line, whatever warmer the application had: {@code
 * MergedSegmentWarmer.addTo(indexWriterConfig)}.
 *
 * <p><b>Threads:</b> of merges, several at once. A merge that a reopen waits for (of segments just
 * flushed) is warmed while the reopen waits, but what it opens the reopen need not.
 *
 * <p><b>Failure:</b> Lucene closes the writer when a warmer throws. A runtime exception of the
 * application's warmer does not get so far: it is counted, logged the first time, and the merge
 * goes on. An {@code IOException} does, an unchecked one too, because it may be the merged segment
 * that cannot be read, and must not replace what can; so does the interrupt of the merge, and any
 * {@code Error}.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}, opens a pooled reader of the merged
 * segment before the merge is committed if a warmer is set, and keeps it for the next reopen.
 */
public final class MergedSegmentWarmer implements IndexReaderWarmer {

  private static final System.Logger LOGGER = System.getLogger(MergedSegmentWarmer.class.getName());

  private final IndexReaderWarmer application;
  private final NanoClock clock;
  private final LongAdder segments = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean failureTold = new AtomicBoolean();
  private final LongAdder warmNanos = new LongAdder();

  /** Has merged segments opened, and no more. */
  public MergedSegmentWarmer() {
    this(reader -> {}, NanoClock.SYSTEM);
  }

  /** Has merged segments opened, and warmed by {@code application}. */
  public MergedSegmentWarmer(IndexReaderWarmer application) {
    this(application, NanoClock.SYSTEM);
  }

  MergedSegmentWarmer(IndexReaderWarmer application, NanoClock clock) {
    this.application = Objects.requireNonNull(application, "application");
    this.clock = clock;
  }

  /**
   * Sets one on {@code config} that calls the warmer which was set before, if there was one.
   *
   * @return the one that is set now
   */
  public static MergedSegmentWarmer addTo(IndexWriterConfig config) {
    IndexReaderWarmer before = config.getMergedSegmentWarmer();
    MergedSegmentWarmer warmer =
        before == null ? new MergedSegmentWarmer() : new MergedSegmentWarmer(before);
    config.setMergedSegmentWarmer(warmer);
    return warmer;
  }

  @Override
  public void warm(LeafReader reader) throws IOException {
    long startNanos = clock.nanoTime();
    try {
      application.warm(reader);
      segments.increment();
    } catch (ThreadInterruptedException e) {
      throw e;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (RuntimeException e) {
      failures.increment();
      logOnce(e);
    } finally {
      warmNanos.add(clock.nanoTime() - startNanos);
    }
  }

  /** Segments that were opened, and warmed without a failure. */
  public long segments() {
    return segments.sum();
  }

  /** Segments that were opened and not warmed, because the application's warmer failed. */
  public long failures() {
    return failures.sum();
  }

  /** Time that the application's warmer took, added over threads; opening is not in it. */
  public long warmNanos() {
    return warmNanos.sum();
  }

  /** The log may fail as well, and no merge may be hurt for that. */
  private void logOnce(RuntimeException failure) {
    if (failureTold.compareAndSet(false, true)) {
      try {
        LOGGER.log(Level.WARNING, "a warmer of merged segments failed; merges go on", failure);
      } catch (Throwable unheard) {
        // The failure is counted.
      }
    }
  }
}
