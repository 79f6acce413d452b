package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.search.ReferenceManager;

/**
 * Measures the reopens of a {@code SearcherManager}, or any other {@link ReferenceManager}.
 *
 * <p>It sees every reopen, whoever asks for it. But how long a thread waited for the lock can be
 * told only if it reopens by {@link #maybeRefresh} or {@link #maybeRefreshBlocking}, which do what
 * the manager's own do. And of a reopen by the manager that changed nothing, it can happen that the
 * monitor cannot say whether it failed: {@link ReopenResult#UNCLEAR}.
 *
 * <p><b>Staleness</b> is now minus the moment the last good reopen had the lock: all that was
 * indexed until then can be searched. It grows between reopens. <b>Freshness</b> is how long a
 * document takes from {@link #indexed} until it can be searched, by a sample.
 *
 * <p>What it can time:
 *
 * <ol>
 *   <li>The visible moment is exact with {@link ReopenPhases#searcherFactory}. Without that it is
 *       unknown, and freshness counts until the reopen has ended.
 *   <li>Phases are known with {@link ReopenPhases}, for managers on a writer.
 *   <li>A reopen costs two to six looks at the clock, and for one that changed nothing and did not
 *       come by the monitor a check whether the reader is current. The monitor allocates nothing;
 *       with {@link ReopenPhases#infoStream} there are some five more looks, and Lucene composes
 *       some twenty short texts.
 * </ol>
 *
 * <p><b>Units:</b> nanoseconds of {@link System#nanoTime}, unless another clock is given.
 * <b>Threads:</b> any. <b>Ownership:</b> the manager stays the caller's; the monitor holds none of
 * its readers, and may be closed before or after it. <b>Failure:</b> what the manager throws passes
 * through; a fault of the monitor is logged once and never reaches the reopen.
 */
public final class ReopenMonitor implements Closeable {

  private final NanoClock clock;
  private final RefreshObserver<?> attachment;
  private final ReopenListeners listeners = new ReopenListeners();
  private final Freshness freshness = new Freshness();
  private final RunningReopen watch = new RunningReopen();
  private final ReopenHistory records;
  private final AtomicBoolean closed = new AtomicBoolean();

  private <G> ReopenMonitor(ReferenceManager<G> manager, ReopenOptions options, NanoClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.records = new ReopenHistory(options.recent(), clock.nanoTime());
    ReopenPhases phases = options.phases().orElse(null);
    this.attachment = new RefreshObserver<>(manager, phases, freshness, watch, clock, new Records());
    if (phases != null) {
      phases.bind(clock);
    }
  }

  /** Watches {@code manager} with the default options. */
  public static <G> ReopenMonitor attach(ReferenceManager<G> manager) {
    return attach(manager, ReopenOptions.defaults());
  }

  /** Watches {@code manager}. */
  public static <G> ReopenMonitor attach(ReferenceManager<G> manager, ReopenOptions options) {
    return attach(manager, options, NanoClock.SYSTEM);
  }

  /** Watches {@code manager} by another clock than the system's. */
  public static <G> ReopenMonitor attach(
      ReferenceManager<G> manager, ReopenOptions options, NanoClock clock) {
    ReopenMonitor monitor = new ReopenMonitor(manager, options, clock);
    monitor.attachment.add();
    return monitor;
  }

  /**
   * The manager's {@code maybeRefresh}.
   *
   * @return false if another thread is reopening
   */
  public boolean maybeRefresh() throws IOException {
    return attachment.refresh(false, Measurement.UNKNOWN_NANOS);
  }

  /** The same, for a reopen that should have begun at {@code intendedNanos} of the clock. */
  public boolean maybeRefresh(long intendedNanos) throws IOException {
    return attachment.refresh(false, intendedNanos);
  }

  /** The manager's {@code maybeRefreshBlocking}. */
  public void maybeRefreshBlocking() throws IOException {
    attachment.refresh(true, Measurement.UNKNOWN_NANOS);
  }

  /** The same, for a reopen that should have begun at {@code intendedNanos} of the clock. */
  public void maybeRefreshBlocking(long intendedNanos) throws IOException {
    attachment.refresh(true, intendedNanos);
  }

  /**
   * A document was indexed; call it when {@code IndexWriter} has returned. Freshness is timed for
   * some of them: for all, as long as they are few. Costs a few nanoseconds for the others.
   *
   * @param sequenceNumber what {@code IndexWriter} returned
   */
  public void indexed(long sequenceNumber) {
    if (freshness.chooses(sequenceNumber)) {
      freshness.told(clock.nanoTime());
    }
  }

  /**
   * How old what is searched may be: time since the last good reopen began to look at the index, or
   * since the monitor was attached.
   */
  public Duration staleness() {
    return Duration.ofNanos(clock.nanoTime() - records.goodSinceNanos());
  }

  /** What was seen so far. */
  public ReopenSnapshot snapshot() {
    return records.snapshot(clock.nanoTime(), freshness);
  }

  /** The last reopens, the oldest first, without those that were skipped. */
  public List<Reopen> recent() {
    return records.recent();
  }

  /**
   * Has slow reopens looked at while they go on, by a daemon thread, and says what they waited for.
   * Reopens that are not slow pay a few nanoseconds, and wake that thread where it sleeps.
   *
   * @throws IllegalStateException if it is done already, or the monitor is closed
   */
  public synchronized SlowReopens explainSlow(SlowReopenOptions options) {
    if (closed.get() || watch.sampler() != null) {
      throw new IllegalStateException(
          "slow reopens must be explained once at a time, and before the monitor is closed");
    }
    SlowReopens slow = new SlowReopens(options, watch, clock);
    slow.start();
    watch.setSampler(slow);
    if (closed.get()) { // meanwhile, and nobody would end the thread
      slow.close();
    }
    return slow;
  }

  /** Tells {@code listener} of reopens from now on. */
  public void addListener(ReopenListener listener) {
    listeners.add(listener);
  }

  /** Tells it no more. */
  public void removeListener(ReopenListener listener) {
    listeners.remove(listener);
  }

  /**
   * Watches no more, and closes the {@link SlowReopens}; see there for how long that may take. The
   * manager is as it was before; {@link #maybeRefresh} and its like still call it, and measure
   * nothing. May be called more than once.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      attachment.remove();
      SlowReopens slow = watch.sampler();
      if (slow != null) {
        slow.close();
      }
    }
  }

  /** Puts a finished reopen where it belongs. */
  private final class Records implements RefreshObserver.Sink {

    @Override
    public void finished(Measurement sample, ReopenResult result) {
      watch.end(sample, result); // before the listeners, which are no part of it
      records.add(sample, result);
      listeners.tell(sample, result);
      if (result.isGood()) {
        long visible = sample.visibleNanos;
        tellFreshness(
            sample.freshnessMark, visible == Measurement.UNKNOWN_NANOS ? sample.finishedNanos : visible);
      }
    }

    private void tellFreshness(long mark, long visibleNanos) {
      long took = freshness.poll(mark, visibleNanos);
      while (took != Measurement.UNKNOWN_NANOS) {
        listeners.documentVisible(took);
        took = freshness.poll(mark, visibleNanos);
      }
    }

    @Override
    public void finished(ReopenResult result) {
      records.count(result);
    }

    @Override
    public void fault(Throwable failure) {
      listeners.logOnce("the reopen monitor failed; reopens go on", failure);
    }
  }
}
