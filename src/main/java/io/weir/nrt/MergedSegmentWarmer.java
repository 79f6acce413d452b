package io.weir.nrt;

import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * Opens merged segments on the merge's thread before any reader sees them, and warms them if the
 * application has a warmer. Without it, the first reopen after a merge opens all files of the new
 * segment itself, with cold reads of each header and footer.
 *
 * <p>One line adds it to any warmer of the application: {@code
 * MergedSegmentWarmer.addTo(indexWriterConfig)}.
 *
 * <p><b>Threads:</b> those of merges, several at once. If a reopen waits for a merge (of segments
 * just flushed), it also waits for the warming; but then it need not open those files itself.
 *
 * <p><b>Failure:</b> Lucene closes the writer when a warmer throws. A runtime exception of the
 * application's warmer is therefore caught and counted, and the first one is logged; the merge
 * continues. An {@code IOException}, checked or unchecked, is passed on: the merged segment may be
 * unreadable, and must not replace readable ones. An interrupt of the merge and any {@code Error}
 * are passed on too.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}, opens a pooled reader of the merged
 * segment before the merge is committed if a warmer is set, and keeps it for the next reopen.
 */
public final class MergedSegmentWarmer implements IndexReaderWarmer {

  private final IndexReaderWarmer application;
  private final NanoClock clock;
  private final LongAdder segments = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final OnceLog log = new OnceLog(MergedSegmentWarmer.class);
  private final LongAdder warmNanos = new LongAdder();

  /** Opens merged segments, without warming them. */
  public MergedSegmentWarmer() {
    this(reader -> {}, NanoClock.SYSTEM);
  }

  /** Opens merged segments, and warms them with {@code application}. */
  public MergedSegmentWarmer(IndexReaderWarmer application) {
    this(application, NanoClock.SYSTEM);
  }

  MergedSegmentWarmer(IndexReaderWarmer application, NanoClock clock) {
    this.application = Objects.requireNonNull(application, "application");
    this.clock = clock;
  }

  /**
   * Sets a warmer on {@code config} that also calls the one that was set before, if any.
   *
   * @return the warmer that is set now
   */
  public static MergedSegmentWarmer addTo(IndexWriterConfig config) {
    Objects.requireNonNull(config, "config");
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
      log.warn("a warmer of merged segments failed; merges go on", e);
    } finally {
      warmNanos.add(clock.nanoTime() - startNanos);
    }
  }

  /** Number of segments that were opened, and warmed without failure. */
  public long segments() {
    return segments.sum();
  }

  /**
   * Number of segments that were opened but not warmed, because the application's warmer failed.
   */
  public long failures() {
    return failures.sum();
  }

  /** Time spent in the application's warmer, summed over threads, without opening. */
  public long warmNanos() {
    return warmNanos.sum();
  }
}
