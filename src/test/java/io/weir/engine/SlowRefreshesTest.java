package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.CapturedLog;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.SlowReopenOptions;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.logging.SimpleFormatter;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SlowRefreshesTest {

  private static final Duration THRESHOLD = Duration.ofMillis(50);

  private final Semaphore places = new Semaphore(1);

  @Test
  void firstSlowRefresh_isCountedAndLogged_andTakesAPlace() throws Exception {
    try (CapturedLog log = CapturedLog.of(SlowRefreshes.class);
        Shard shard = new Shard("products", new AutoClock())) {
      shard.refresh(49);
      assertEquals(0L, shard.slow.figures().get("count"));
      assertEquals(1, places.availablePermits());

      shard.refresh(50);

      assertEquals(
          Map.of(
              "threshold_millis",
              50L,
              "count",
              1L,
              "cause_millis",
              Map.of(),
              "cause_count",
              Map.of()),
          shard.slow.figures());
      assertEquals(
          List.of("[products][0] a refresh took 50 ms, of unknown cause"),
          log.records().stream().map(new SimpleFormatter()::formatMessage).toList());
      assertEquals(0, places.availablePermits());
    }
  }

  @Test
  void laterSlowRefresh_hasItsCause() throws Exception {
    try (Shard shard = new Shard("products", NanoClock.SYSTEM)) {
      shard.refresh(60);

      Await.until(
          "a slow refresh is sampled and reported",
          () -> {
            shard.refresh(60);
            return !((Map<?, ?>) shard.slow.figures().get("cause_millis")).isEmpty();
          });

      Map<String, Object> figures = shard.slow.figures();
      long slowRefreshes = (long) figures.get("count");
      Map<?, ?> counts = (Map<?, ?>) figures.get("cause_count");
      assertTrue(slowRefreshes >= 2, figures::toString);
      assertEquals(((Map<?, ?>) figures.get("cause_millis")).keySet(), counts.keySet());
      for (Object count : counts.values()) { // the first refresh has no cause
        assertTrue((long) count >= 1 && (long) count < slowRefreshes, figures::toString);
      }
    }
  }

  @Test
  void withoutAFreePlace_slowRefreshesAreCounted_andTheNextFreePlaceIsTaken() throws Exception {
    try (Shard first = new Shard("first", new AutoClock());
        Shard second = new Shard("second", new AutoClock())) {
      first.refresh(60);
      second.refresh(60);
      second.refresh(60);
      assertEquals(2L, second.slow.figures().get("count"));

      first.slow.close();
      first.slow.close(); // frees one place, not two
      assertEquals(1, places.availablePermits());
      first.refresh(60); // is closed, so it takes none
      assertEquals(1, places.availablePermits());
      second.refresh(60);

      assertEquals(0, places.availablePermits());
      assertEquals(3L, second.slow.figures().get("count"));
    }
    assertEquals(1, places.availablePermits());
  }

  @Test
  void sampler_thatCannotStart_leavesThePlace() throws Exception {
    try (Shard shard = new Shard("products", new AutoClock())) {
      shard.monitor.explainSlow(SlowReopenOptions.defaults());

      shard.refresh(60);

      assertEquals(1, places.availablePermits());
      assertEquals(1L, shard.slow.figures().get("count"));
    }
  }

  @Test
  void threshold_negative_watchesNothing_andTooShort_isRefused() throws Exception {
    try (Shard shard = new Shard("products", new AutoClock())) {
      assertEquals(Optional.empty(), watch(shard.monitor, Duration.ofMillis(-1)));
      assertThrows(IllegalArgumentException.class, () -> watch(shard.monitor, Duration.ofNanos(1)));
    }
  }

  private Optional<SlowRefreshes> watch(ReopenMonitor monitor, Duration threshold) {
    return SlowRefreshes.watch(
        new ShardName("products", "uuid", 0).toString(), monitor, threshold, List::of, places);
  }

  /** A shard whose refreshes take as long as a test says. */
  private final class Shard implements Closeable {

    private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
    private final IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
    private final SearcherManager searchers;
    private final ReopenMonitor monitor;
    private final SlowRefreshes slow;
    private long tookNanos;

    Shard(String index, NanoClock clock) throws IOException {
      this.searchers =
          new SearcherManager(
              writer,
              new SearcherFactory() {
                @Override
                public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
                  long endNanos = clock.nanoTime() + tookNanos;
                  while (clock.nanoTime() < endNanos) {
                    clock.parkNanos(this, endNanos - clock.nanoTime());
                  }
                  return new IndexSearcher(reader);
                }
              });
      this.monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), clock);
      this.slow =
          SlowRefreshes.watch(
                  new ShardName(index, "uuid", 0).toString(), monitor, THRESHOLD, List::of, places)
              .orElseThrow();
    }

    void refresh(long millis) {
      tookNanos = Duration.ofMillis(millis).toNanos();
      try {
        writer.addDocument(new Document());
        assertTrue(searchers.maybeRefresh());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      slow.close();
      monitor.close();
      searchers.close();
      writer.close();
      directory.close();
    }
  }
}
