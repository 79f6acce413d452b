package io.weir.nrt;

import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.search.ReferenceManager;

/**
 * Measures the reopens of a {@code SearcherManager}, or any other {@link ReferenceManager}.
 *
 * <p>It sees every reopen, whichever code calls it. But it knows the wait for the lock only of
 * threads that call {@link #maybeRefresh} or {@link #maybeRefreshBlocking} here, which do the same
 * as the manager's methods. If a reopen that bypasses them changes nothing, the monitor may be
 * unable to say whether it failed: {@link ReopenResult#UNCLEAR}.
 *
 * <p><b>Staleness</b> is the time since the last good reopen had the lock: every document indexed
 * before that is searchable. It grows between reopens. <b>Freshness</b> is the time from {@link
 * #indexed(long)} until a document is searchable, measured on a sample. <b>Visible</b> is what
 * people feel: the time from handing a document over until it is searchable, by {@linkplain
 * VisiblePart parts}. Of the documents that a reopen makes visible, it is that of the one that
 * waited longest: the first one after the last reopen began is always looked at, later ones as far
 * as they are in the sample.
 *
 * <p>Limits and cost:
 *
 * <ol>
 *   <li>With {@link ReopenPhases#searcherFactory} the time of visibility is exact. Without it, that
 *       time is unknown, and freshness is measured until the end of the reopen.
 *   <li>Phases are known only with {@link ReopenPhases}, and for managers on a writer.
 *   <li>A reopen costs two to six clock reads. One that changed nothing and bypassed the monitor
 *       also costs a check whether the reader is current. The monitor allocates nothing. With
 *       {@link ReopenPhases#infoStream} there are about five more clock reads, and Lucene composes
 *       about twenty short messages.
 * </ol>
 *
 * <p><b>Units:</b> nanoseconds of {@link System#nanoTime}, unless another clock is given.
 * <b>Threads:</b> any. <b>Ownership:</b> the caller owns the manager. The monitor holds none of its
 * readers, and may be closed before or after it. <b>Failure:</b> the manager's exceptions pass
 * through. A fault of the monitor is logged once and never reaches the reopen.
 */
public final class ReopenMonitor implements Closeable {

  private static final ReopenPhase[] PHASES = ReopenPhase.values();
  private static final VisiblePart[] PARTS = VisiblePart.values();

  private final NanoClock clock;
  private final RefreshObserver<?> observer;
  private final OnceLog log = new OnceLog(ReopenMonitor.class);
  private final Listeners<ReopenListener> listeners =
      new Listeners<>(log, "a listener of the reopen monitor failed; it is still called");
  private final Freshness freshness = new Freshness();
  private final RunningReopen current = new RunningReopen();
  private final ReopenHistory history;
  private volatile SlowReopens slowReopens; // the last one that was started; null before
  private final AtomicBoolean closed = new AtomicBoolean();

  private <G> ReopenMonitor(ReferenceManager<G> manager, ReopenOptions options, NanoClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.history = new ReopenHistory(options.recent(), clock.nanoTime());
    ReopenPhases phases = options.phases().orElse(null);
    this.observer =
        new RefreshObserver<>(manager, phases, freshness, current, clock, new Recorder());
    if (phases != null) {
      phases.bind(clock);
    }
  }

  /** Monitors {@code manager} with the default options. */
  public static <G> ReopenMonitor attach(ReferenceManager<G> manager) {
    return attach(manager, ReopenOptions.defaults());
  }

  /**
   * Monitors {@code manager}.
   *
   * @throws IllegalStateException if the {@link ReopenPhases} of the options serve another monitor
   */
  public static <G> ReopenMonitor attach(ReferenceManager<G> manager, ReopenOptions options) {
    Objects.requireNonNull(options, "options");
    return attach(manager, options, NanoClock.SYSTEM);
  }

  /** Monitors {@code manager} with the given clock. */
  public static <G> ReopenMonitor attach(
      ReferenceManager<G> manager, ReopenOptions options, NanoClock clock) {
    Objects.requireNonNull(options, "options");
    ReopenMonitor monitor = new ReopenMonitor(manager, options, clock);
    monitor.observer.add();
    return monitor;
  }

  /**
   * The manager's {@code maybeRefresh}.
   *
   * @return false if another thread is reopening
   */
  public boolean maybeRefresh() throws IOException {
    return observer.refresh(false, Measurement.UNKNOWN_NANOS);
  }

  /** The same, for a reopen that should have begun at {@code intendedNanos} of the clock. */
  public boolean maybeRefresh(long intendedNanos) throws IOException {
    return observer.refresh(false, intendedNanos);
  }

  /** The manager's {@code maybeRefreshBlocking}. */
  public void maybeRefreshBlocking() throws IOException {
    observer.refresh(true, Measurement.UNKNOWN_NANOS);
  }

  /** The same, for a reopen that should have begun at {@code intendedNanos} of the clock. */
  public void maybeRefreshBlocking(long intendedNanos) throws IOException {
    observer.refresh(true, intendedNanos);
  }

  /**
   * Reports an indexed document; call it after {@code IndexWriter} has returned. Freshness is
   * measured on a sample of the documents, or on all while they are few. For the others this costs
   * a few nanoseconds.
   *
   * @param sequenceNumber the number that {@code IndexWriter} returned
   */
  public void indexed(long sequenceNumber) {
    indexed(sequenceNumber, Measurement.UNKNOWN_NANOS);
  }

  /**
   * The same, and when the application had the document, so that queues before the writer and the
   * writing itself count as well.
   *
   * @param handedOverNanos on the clock of the monitor, {@link System#nanoTime} unless another one
   *     was given; what has not come yet counts as now
   */
  public void indexed(long sequenceNumber, long handedOverNanos) {
    boolean isSampled = freshness.chooses(sequenceNumber);
    if (isSampled || freshness.isFirst()) {
      long now = clock.nanoTime();
      boolean isKnown = handedOverNanos != Measurement.UNKNOWN_NANOS && handedOverNanos - now < 0;
      freshness.indexed(isSampled, isKnown ? handedOverNanos : now, now);
    }
  }

  /**
   * How old the searchable state may be: the time since the last good reopen began, or since the
   * monitor was attached.
   */
  public Duration staleness() {
    return Duration.ofNanos(clock.nanoTime() - history.goodSinceNanos());
  }

  /** How long the reopen in progress has had the lock; empty if none runs, and after the close. */
  public Optional<Duration> running() {
    long sinceNanos = current.runningSinceNanos();
    // A closed monitor does not see the end of a reopen that was in progress.
    return closed.get() || sinceNanos == Measurement.UNKNOWN_NANOS
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, clock.nanoTime() - sinceNanos)));
  }

  /** The figures so far. */
  public ReopenSnapshot snapshot() {
    return history.snapshot(clock.nanoTime(), freshness);
  }

  /** The last reopens, oldest first, without skipped ones. */
  public List<Reopen> recent() {
    return history.recent();
  }

  /**
   * Starts a daemon thread that samples slow reopens while they run, to explain what they wait for.
   * Other reopens pay a few nanoseconds, or wake that thread if it sleeps.
   *
   * @throws IllegalStateException if slow reopens are being explained already, or the monitor is
   *     closed
   */
  public synchronized SlowReopens explainSlow(SlowReopenOptions options) {
    Objects.requireNonNull(options, "options");
    if (closed.get() || current.isSampled()) {
      throw new IllegalStateException(
          closed.get()
              ? "a monitor must be open to explain slow reopens"
              : "slow reopens must be explained by one sampler at a time");
    }
    SlowReopens slow = new SlowReopens(options, current, clock);
    slow.start();
    slowReopens = slow;
    if (closed.get()) { // in between, so nothing else would end the thread
      slow.close();
    }
    return slow;
  }

  /** Adds a listener. */
  public void addListener(ReopenListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.add(listener);
  }

  /** Removes a listener. */
  public void removeListener(ReopenListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.remove(listener);
  }

  /**
   * Detaches from the manager, and closes the {@link SlowReopens}; see there for how long that may
   * take. {@link #maybeRefresh} and the similar methods still call the manager, but measure
   * nothing. May be called more than once.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      observer.remove();
      SlowReopens slow = slowReopens;
      if (slow != null) {
        slow.close();
      }
    }
  }

  private static void reopenEnded(ReopenListener listener, Measurement measurement) {
    for (ReopenPhase phase : PHASES) {
      if (measurement.phase(phase) != Measurement.UNKNOWN_NANOS) {
        listener.phaseEnded(phase, measurement.phase(phase));
      }
    }
    if (measurement.visibleNanos != Measurement.UNKNOWN_NANOS) {
      listener.searcherVisible(measurement.visibleNanos - measurement.startedNanos);
    }
    listener.reopenEnded(measurement.result, measurement.totalNanos(), measurement.latencyNanos());
  }

  private static void documentsVisible(ReopenListener listener, Measurement measurement) {
    for (VisiblePart part : PARTS) {
      listener.visiblePart(part, measurement.part(part));
    }
    listener.documentsVisible(measurement.longestWaitNanos);
  }

  /** Records finished reopens and calls the listeners. */
  private final class Recorder implements RefreshObserver.Sink {

    @Override
    public void finished(Measurement measurement, ReopenResult result) {
      current.end(measurement, result); // before the listeners, which do not count as part of it
      history.add(measurement, result);
      measurement.result = result;
      listeners.tell(measurement, ReopenMonitor::reopenEnded);
      if (result.isGood()) {
        tellFreshness(measurement);
      }
    }

    private void tellFreshness(Measurement measurement) {
      long mark = measurement.freshnessMark;
      long visibleNanos =
          measurement.visibleNanos == Measurement.UNKNOWN_NANOS
              ? measurement.finishedNanos
              : measurement.visibleNanos;
      while (freshness.poll(mark, visibleNanos, measurement)) {
        if (measurement.freshnessNanos != Measurement.UNKNOWN_NANOS) {
          listeners.tell(
              measurement, (listener, visible) -> listener.documentVisible(visible.freshnessNanos));
        }
      }
      if (measurement.longestWaitNanos != Measurement.UNKNOWN_NANOS) {
        history.visible(measurement.longestWaitNanos);
        listeners.tell(measurement, ReopenMonitor::documentsVisible);
      }
    }

    @Override
    public void finished(ReopenResult result) {
      current.end();
      history.count(result);
    }

    @Override
    public void fault(Throwable failure) {
      log.warn("the reopen monitor failed; reopens go on", failure);
    }
  }

  /**
   * The history of reopens: counts, the longest, and the last ones in full.
   *
   * <p><b>Threads:</b> any; one lock, held for a few stores. Adding allocates nothing.
   */
  static final class ReopenHistory {

    private static final ReopenResult[] RESULTS = ReopenResult.values();
    private static final int TIMES = 5; // columns before the phases

    private final long[] counts = new long[RESULTS.length]; // guarded by this, as all below
    private final long[] cells; // a ring of rows: result, four times, the phases
    private final int capacity;
    private long rows; // added so far
    private long totalNanos;
    private long lastNanos = Measurement.UNKNOWN_NANOS;
    private long maxNanos = Measurement.UNKNOWN_NANOS;
    private long lastVisibleNanos = Measurement.UNKNOWN_NANOS;
    private long maxVisibleNanos = Measurement.UNKNOWN_NANOS;
    private long goodSinceNanos;

    /**
     * @param attachedNanos staleness counts from here until the first good reopen
     */
    ReopenHistory(int capacity, long attachedNanos) {
      this.capacity = capacity;
      this.cells = new long[capacity * rowLength()];
      this.goodSinceNanos = attachedNanos;
    }

    private static int rowLength() {
      return TIMES + PHASES.length;
    }

    synchronized void add(Measurement measurement, ReopenResult result) {
      counts[result.ordinal()]++;
      // Many callers may find the lock taken; they would push everything else out of the ring.
      if (result == ReopenResult.SKIPPED) {
        return;
      }
      lastNanos = measurement.totalNanos();
      totalNanos += lastNanos;
      maxNanos = Math.max(maxNanos, lastNanos);
      // Two threads may finish in a different order than they began.
      if (result.isGood() && measurement.begunNanos - goodSinceNanos > 0) {
        goodSinceNanos = measurement.begunNanos;
      }
      if (capacity > 0) {
        int at = (int) (rows % capacity) * rowLength();
        cells[at] = result.ordinal();
        cells[at + 1] = measurement.intendedNanos;
        cells[at + 2] = measurement.startedNanos;
        cells[at + 3] = measurement.visibleNanos;
        cells[at + 4] = measurement.finishedNanos;
        for (int phase = 0; phase < PHASES.length; phase++) {
          cells[at + TIMES + phase] = measurement.phase(PHASES[phase]);
        }
      }
      rows++;
    }

    /** A reopen made documents visible; the longest wait of one was this. */
    synchronized void visible(long longestNanos) {
      lastVisibleNanos = longestNanos;
      maxVisibleNanos = Math.max(maxVisibleNanos, longestNanos);
    }

    /** Counts a reopen that has no measurement. */
    synchronized void count(ReopenResult result) {
      counts[result.ordinal()]++;
    }

    synchronized long goodSinceNanos() {
      return goodSinceNanos;
    }

    /** The last reopens, oldest first. */
    synchronized List<Reopen> recent() {
      List<Reopen> recent = new ArrayList<>();
      for (long row = Math.max(0, rows - capacity); row < rows; row++) {
        recent.add(reopen((int) (row % capacity) * rowLength()));
      }
      return Collections.unmodifiableList(recent);
    }

    synchronized ReopenSnapshot snapshot(long nowNanos, Freshness freshness) {
      return new ReopenSnapshot(
          counts[ReopenResult.CHANGED.ordinal()],
          counts[ReopenResult.UNCHANGED.ordinal()],
          counts[ReopenResult.FAILED.ordinal()],
          counts[ReopenResult.SKIPPED.ordinal()],
          counts[ReopenResult.UNCLEAR.ordinal()],
          totalNanos,
          Measurement.known(lastNanos),
          Measurement.known(maxNanos),
          nowNanos - goodSinceNanos,
          Measurement.known(lastVisibleNanos),
          Measurement.known(maxVisibleNanos),
          freshness.samples(),
          freshness.lost(),
          Measurement.known(freshness.lastNanos()),
          Measurement.known(freshness.maxNanos()));
    }

    private Reopen reopen(int at) {
      Map<ReopenPhase, Long> phases = new EnumMap<>(ReopenPhase.class);
      for (int phase = 0; phase < PHASES.length; phase++) {
        long nanos = cells[at + TIMES + phase];
        if (nanos != Measurement.UNKNOWN_NANOS) {
          phases.put(PHASES[phase], nanos);
        }
      }
      return new Reopen(
          RESULTS[(int) cells[at]],
          Measurement.known(cells[at + 1]),
          cells[at + 2],
          Measurement.known(cells[at + 3]),
          cells[at + 4],
          phases);
    }
  }
}
