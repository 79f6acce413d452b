package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * What a reference manager tells, made into a {@link Measurement} for each reopen.
 *
 * <p>The manager's listeners have traps. The first call comes when the refresh lock is held; the
 * last comes with {@code false} for a reopen that threw as for one that found nothing. When another
 * listener throws, one of the two does not come. And they come on any thread, so what belongs to a
 * thread that called the monitor is kept with the thread.
 *
 * <p>Fields without a word are written before the manager knows of this.
 */
final class RefreshObserver<G> implements ReferenceManager.RefreshListener {

  /** What becomes of a finished sample; called on its thread. */
  interface Sink {
    void finished(Measurement sample, ReopenResult result);

    /** A reopen without a sample. */
    void finished(ReopenResult result);

    /** Weir itself failed; the reopen goes on. */
    void fault(Throwable failure);
  }

  private final ReferenceManager<G> manager;
  private final ReopenPhases phases; // null: none
  private final Freshness freshness;
  private final RunningReopen watch;
  private final NanoClock clock;
  private final Sink sink;
  private final ThreadLocal<Measurement> samples = ThreadLocal.withInitial(Measurement::new);
  private volatile boolean removed;
  private Measurement open; // of the reopen going on; guarded by the manager's refresh lock
  private boolean openCalled; // its sample's called; guarded by the refresh lock
  private boolean beginSeen; // guarded by the refresh lock

  RefreshObserver(
      ReferenceManager<G> manager,
      ReopenPhases phases,
      Freshness freshness,
      RunningReopen watch,
      NanoClock clock,
      Sink sink) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.phases = phases;
    this.freshness = freshness;
    this.watch = watch;
    this.clock = clock;
    this.sink = sink;
  }

  /** Has the manager reopen, and measures that; returns what the manager does. */
  boolean refresh(boolean blocking, long intendedNanos) throws IOException {
    if (removed) {
      return callManager(blocking);
    }
    Measurement sample = samples.get();
    if (sample.called) {
      return callManager(blocking); // by a listener of the reopen this thread is in
    }
    sample.start(intendedNanos, clock.nanoTime());
    sample.called = true;
    ReopenResult result = ReopenResult.FAILED;
    try {
      boolean ran = callManager(blocking);
      result = ran ? ReopenResult.UNCHANGED : ReopenResult.SKIPPED;
      return ran;
    } finally {
      sample.finishedNanos = clock.nanoTime();
      sample.called = false;
      if (sample.changed) {
        result = ReopenResult.CHANGED; // even if a listener of the application threw after it
      }
      // A good end that was not seen is of a reopen during which the monitor was detached.
      if (sample.ended || !result.isGood()) {
        sink.finished(sample, result);
      }
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
    Measurement sample = samples.get();
    if (sample.called && sample.begun) {
      sample.inner++; // a listener of this very reopen reopens once more
      return;
    }
    if (open != null) {
      endIsMissing();
    }
    if (!sample.called) {
      sample.start(Measurement.UNKNOWN_NANOS, now);
    } else {
      sample.setPhase(ReopenPhase.LOCK_WAIT, now - sample.startedNanos);
    }
    sample.begun = true;
    sample.begunNanos = now;
    watch.begin(sample);
    sample.freshnessMark = freshness.mark();
    open = sample;
    openCalled = sample.called;
    beginSeen = true;
    if (phases != null) {
      phases.begin();
    }
  }

  /** Another listener threw at the end of the reopen before, so this one was not told. */
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
    Measurement sample = samples.get();
    if (sample.called && sample.inner > 0) {
      sample.inner--;
      return;
    }
    if (open == null || open != sample) {
      beginIsMissing(changed, sample.called);
      return;
    }
    open = null;
    sample.ended = true;
    sample.changed = changed;
    ReopenResult seen = phases == null ? ReopenResult.UNCLEAR : phases.end(sample);
    if (sample.visibleNanos != Measurement.UNKNOWN_NANOS) {
      sample.setPhase(ReopenPhase.RELEASE, clock.nanoTime() - sample.visibleNanos);
    }
    if (!sample.called) {
      sample.finishedNanos = clock.nanoTime();
      sink.finished(sample, changed ? ReopenResult.CHANGED : withoutChange(seen));
    }
  }

  /**
   * Another listener threw before this one was told of the beginning; or this was attached in the
   * middle of a reopen, which is not counted.
   */
  private void beginIsMissing(boolean changed, boolean called) {
    if (open != null) {
      endIsMissing();
    }
    if (beginSeen && !changed && !called) {
      sink.finished(ReopenResult.FAILED);
    }
  }

  /** How a reopen ended that the monitor was not called for, and that made nothing visible. */
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
      return ReopenResult.FAILED; // the reopen began with asking the same
    }
  }

  private static Object reader(Object reference) {
    return reference instanceof IndexSearcher searcher ? searcher.getIndexReader() : reference;
  }

  void add() {
    manager.addListener(this);
  }

  /** The manager, and the reopen going on, know this no more. */
  void remove() {
    removed = true;
    manager.removeListener(this);
    if (phases != null) {
      phases.unbind();
    }
    samples.remove();
  }
}
