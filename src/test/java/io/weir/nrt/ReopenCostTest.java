package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.suite.Alone;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the monitor adds to a reopen: no garbage, and next to no time. */
@Alone("a test that mocks the monitor in this JVM instruments it, and then each call allocates")
@Timeout(120)
class ReopenCostTest {

  private static final int REOPENS = 20_000;
  private static final int ROUNDS = 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Makes nothing, at no cost. */
  private static final SearcherFactory FREE =
      new SearcherFactory() {
        @Override
        public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
          return null;
        }
      };

  private final ReopenPhases phases = new ReopenPhases();
  private final ReopenListener listener = new ReopenListener() {};
  private long sequenceNumber;

  @Test
  void maybeRefresh_manyTimes_allocatesNoMoreThanTheManagerAlone() throws Exception {
    try (FlipManager plain = new FlipManager(FREE);
        FlipManager monitored = new FlipManager(phases.searcherFactory(FREE));
        ReopenMonitor monitor = monitor(monitored)) {
      // A listener of the application, so that the manager's own loops over listeners are the same.
      plain.addListener(new Silent());
      Refresh alone = plain::maybeRefreshBlocking;
      Refresh watched =
          () -> {
            monitor.indexed(++sequenceNumber);
            monitor.maybeRefreshBlocking();
          };
      // What is interpreted allocates more; the compiler needs some rounds.
      long addedBytes = Long.MAX_VALUE;
      for (int round = 1; round <= ROUNDS && addedBytes >= REOPENS; round++) {
        addedBytes = Math.min(addedBytes, -allocatedBytes(alone) + allocatedBytes(watched));
        assertEquals((long) round * REOPENS, monitor.snapshot().changed());
      }
      assertTrue(addedBytes < REOPENS, addedBytes + " bytes more in " + REOPENS + " reopens");
    }
  }

  /** Twenty reopens a second at a thousandth of one CPU leave 50 microseconds for each. */
  @Test
  void maybeRefresh_manyTimes_takesLessThanAThousandthOfACpu() throws Exception {
    try (FlipManager monitored = new FlipManager(phases.searcherFactory(FREE));
        ReopenMonitor monitor = monitor(monitored)) {
      cpuNanos(monitor::maybeRefreshBlocking);
      long nanos = cpuNanos(monitor::maybeRefreshBlocking) / REOPENS;
      assertTrue(nanos < 50_000, () -> nanos + " ns of CPU for each reopen");
    }
  }

  private ReopenMonitor monitor(FlipManager manager) {
    ReopenMonitor monitor =
        ReopenMonitor.attach(
            manager, ReopenOptions.defaults().withPhases(phases), NanoClock.SYSTEM);
    monitor.addListener(listener);
    monitor.explainSlow(SlowReopenOptions.defaults());
    return monitor;
  }

  private static long allocatedBytes(Refresh refresh) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < REOPENS; i++) {
      refresh.refresh();
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static long cpuNanos(Refresh refresh) throws IOException {
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < REOPENS; i++) {
      refresh.refresh();
    }
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  private interface Refresh {
    void refresh() throws IOException;
  }

  private static final class Silent implements ReferenceManager.RefreshListener {

    @Override
    public void beforeRefresh() {}

    @Override
    public void afterRefresh(boolean didRefresh) {}
  }

  /** Always has something new, at no cost. */
  private static final class FlipManager extends ReferenceManager<Boolean> {

    private final SearcherFactory factory;

    FlipManager(SearcherFactory factory) {
      this.factory = factory;
      current = true;
    }

    @Override
    protected void decRef(Boolean reference) {}

    @Override
    protected Boolean refreshIfNeeded(Boolean referenceToRefresh) throws IOException {
      factory.newSearcher(null, null);
      return !referenceToRefresh;
    }

    @Override
    protected boolean tryIncRef(Boolean reference) {
      return true;
    }

    @Override
    protected int getRefCount(Boolean reference) {
      return 1;
    }
  }
}
