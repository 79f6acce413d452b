package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * Observes the refreshes of a reference manager, and measures each reopen in a {@link Measurement}.
 *
 * <p>The manager's listener calls have pitfalls. The first call comes after the refresh lock is
 * taken. The last call passes {@code false} both for a reopen that threw and for one that found
 * nothing new. If another listener throws, one of the two calls is missing. And the calls come on
 * any thread, so measurements are kept by thread: in a list of this observer, because a thread
 * local would keep the classes of this library as long as the thread lives.
 *
 * <p>Fields without a comment are written before the manager knows this listener.
 */
final class RefreshObserver<G> implements ReferenceManager.RefreshListener {

  /** Receives finished measurements, on the thread that reopened. */
  interface Sink {
    void finished(Measurement measurement, ReopenResult result);

    /** A reopen without a measurement has ended. */
    void finished(ReopenResult result);

    /** Weir itself failed; the reopen continues. */
    void fault(Throwable failure);
  }

  private final ReferenceManager<G> manager;
  private final ReopenPhases phases; // null: none
  private final Freshness freshness;
  private final RunningReopen current;
  private final NanoClock clock;
  private final Sink sink;
  private final Measurements measurements = new Measurements();
  private volatile boolean removed;
  private Measurement open; // of the reopen in progress; guarded by the manager's refresh lock
  private boolean openCalled; // open.called; guarded by the refresh lock
  private boolean beginSeen; // guarded by the refresh lock

  RefreshObserver(
      ReferenceManager<G> manager,
      ReopenPhases phases,
      Freshness freshness,
      RunningReopen current,
      NanoClock clock,
      Sink sink) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.phases = phases;
    this.freshness = freshness;
    this.current = current;
    this.clock = clock;
    this.sink = sink;
  }

  /** Lets the manager reopen, and measures it; returns the manager's result. */
  boolean refresh(boolean blocking, long intendedNanos) throws IOException {
    if (removed) {
      return callManager(blocking);
    }
    Measurement measurement = measurements.ofThisThread();
    if (measurement.called) {
      return callManager(blocking); // called by a listener of the reopen that this thread performs
    }
    measurement.start(intendedNanos, clock.nanoTime());
    measurement.called = true;
    ReopenResult result = ReopenResult.FAILED;
    try {
      boolean ran = callManager(blocking);
      result = ran ? ReopenResult.UNCHANGED : ReopenResult.SKIPPED;
      return ran;
    } finally {
      try {
        finish(measurement, result);
      } finally {
        measurements.release(measurement);
      }
    }
  }

  private void finish(Measurement measurement, ReopenResult answer) {
    measurement.finishedNanos = clock.nanoTime();
    measurement.called = false;
    // A change counts even if an application's listener threw afterwards.
    ReopenResult result = measurement.changed ? ReopenResult.CHANGED : answer;
    // If the monitor missed a good end, it was detached during the reopen.
    if (measurement.ended || !result.isGood()) {
      sink.finished(measurement, result);
    }
  }

  private boolean callManager(boolean blocking) throws IOException {
    if (blocking) {
      manager.maybeRefreshBlocking();
      return true;
    }
    return manager.maybeRefresh();
  }

  @Override
  public void beforeRefresh() {
    try {
      begin();
    } catch (Throwable failure) {
      sink.fault(failure);
    }
  }

  private void begin() {
    long now = clock.nanoTime();
    Measurement measurement = measurements.ofThisThread();
    if (measurement.called && measurement.begun) {
      measurement.inner++; // a listener of this reopen reopens again
      return;
    }
    if (open != null) {
      endIsMissing();
    }
    if (!measurement.called) {
      measurement.start(Measurement.UNKNOWN_NANOS, now);
    } else {
      measurement.setPhase(ReopenPhase.LOCK_WAIT, now - measurement.startedNanos);
    }
    measurement.begun = true;
    measurement.begunNanos = now;
    current.begin(measurement);
    measurement.freshnessMark = freshness.mark();
    open = measurement;
    openCalled = measurement.called;
    beginSeen = true;
    if (phases != null) {
      phases.begin();
    }
  }

  /** Another listener threw at the end of the previous reopen, so the call here was missing. */
  private void endIsMissing() {
    if (!openCalled) {
      sink.finished(ReopenResult.UNCLEAR);
    }
    open = null;
  }

  @Override
  public void afterRefresh(boolean didRefresh) {
    try {
      end(didRefresh);
    } catch (Throwable failure) {
      sink.fault(failure);
    }
  }

  private void end(boolean changed) {
    Measurement measurement = measurements.ofThisThread();
    try {
      end(measurement, changed);
    } finally {
      if (!measurement.called) {
        measurements.release(measurement);
      }
    }
  }

  private void end(Measurement measurement, boolean changed) {
    if (measurement.called && measurement.inner > 0) {
      measurement.inner--;
      return;
    }
    if (open == null || open != measurement || !measurement.begun) {
      beginIsMissing(changed, measurement.called);
      return;
    }
    open = null;
    measurement.ended = true;
    measurement.changed = changed;
    ReopenResult seen = phases == null ? ReopenResult.UNCLEAR : phases.end(measurement);
    if (measurement.visibleNanos != Measurement.UNKNOWN_NANOS) {
      measurement.setPhase(ReopenPhase.RELEASE, clock.nanoTime() - measurement.visibleNanos);
    }
    if (!measurement.called) {
      measurement.finishedNanos = clock.nanoTime();
      sink.finished(measurement, changed ? ReopenResult.CHANGED : withoutChange(seen));
    }
  }

  /**
   * Another listener threw at the beginning of the reopen, so the call here was missing; or this
   * was attached during a reopen, which is not counted.
   */
  private void beginIsMissing(boolean changed, boolean called) {
    if (open != null) {
      endIsMissing();
    }
    if (beginSeen && !changed && !called) {
      sink.finished(ReopenResult.FAILED);
    }
  }

  /** The result of a reopen that bypassed the monitor and made nothing new visible. */
  private ReopenResult withoutChange(ReopenResult seen) {
    if (seen != ReopenResult.UNCLEAR) {
      return seen;
    }
    try {
      G reference = manager.acquire();
      try {
        return reader(reference) instanceof DirectoryReader reader && reader.isCurrent()
            ? ReopenResult.UNCHANGED
            : ReopenResult.UNCLEAR;
      } finally {
        manager.release(reference);
      }
    } catch (AlreadyClosedException | IOException e) {
      return ReopenResult.FAILED; // the reopen asked the same first, and failed too
    }
  }

  private static Object reader(Object reference) {
    return reference instanceof IndexSearcher searcher ? searcher.getIndexReader() : reference;
  }

  void add() {
    manager.addListener(this);
  }

  /** Detaches this from the manager, and from a reopen in progress. */
  void remove() {
    removed = true;
    manager.removeListener(this);
    if (phases != null) {
      phases.unbind();
    }
  }

  /**
   * The measurements of this observer: as many as threads that reopened, or waited for that, at the
   * same time. A thread that reopens again gets the same one, so nothing is allocated.
   */
  private static final class Measurements {

    private final List<Measurement> all = new ArrayList<>(); // guarded by this

    /** That of the calling thread, which has it until {@link #release}. */
    synchronized Measurement ofThisThread() {
      Thread thread = Thread.currentThread();
      Measurement free = null;
      for (int i = 0; i < all.size(); i++) {
        Measurement one = all.get(i);
        if (one.thread.refersTo(thread)) {
          one.taken = true;
          return one;
        }
        if (!one.taken || one.thread.refersTo(null)) { // its thread may end without a release
          free = one;
        }
      }
      if (free == null) {
        free = new Measurement();
        all.add(free);
      } else {
        free.thread = new WeakReference<>(thread);
      }
      free.taken = true;
      return free;
    }

    synchronized void release(Measurement measurement) {
      measurement.begun = false;
      measurement.taken = false;
    }
  }
}
