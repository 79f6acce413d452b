package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.RollingUpgrade.Cluster;
import io.weir.stress.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that writes into a cluster and never pauses, and one that looks whether a shard is red.
 * The writer repeats what was not acknowledged by way of another node. A document that was repeated
 * is not written again, because the first attempt may still arrive; unless that met no server.
 *
 * <p><b>Ownership:</b> two threads begin with it, and end with {@link #close}.
 */
final class UpgradeLoad implements AutoCloseable {

  private static final int IDS = 3000;
  private static final int AT_ONCE = 20;
  private static final long PAUSE_MILLIS = 25;
  private static final int MORE = 20 * AT_ONCE;
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private final Cluster cluster;
  private final Random random = new Random(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final List<String> reds = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> failures = new ConcurrentSkipListMap<>();
  private final CompletableFuture<Void> writer;
  private final CompletableFuture<Void> watcher;

  // Of the writer's thread, until it has ended.
  private final Map<String, Long> expected = new TreeMap<>();
  private final Set<String> repeated = new TreeSet<>();
  private long number;
  private int turn;

  /** Begins. */
  UpgradeLoad(Cluster cluster) {
    this.cluster = cluster;
    this.writer = begin(this::write);
    this.watcher = begin(this::look);
  }

  /** A step that is repeated until the end. */
  private interface Step {
    void run() throws Exception;
  }

  private CompletableFuture<Void> begin(Step step) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                do {
                  step.run();
                } while (!stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
                ended.complete(null);
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    return ended;
  }

  /** Waits until more documents are acknowledged than by now. */
  void awaitMore() {
    long before = acknowledged.get();
    Await.until(
        "acknowledged documents",
        () -> writer.isDone() || watcher.isDone() || acknowledged.get() > before + MORE);
    assertRuns();
  }

  /** Lets it go on for a time. */
  void awaitTime(Duration time) {
    assertThrows(TimeoutException.class, () -> writer.get(time.toMillis(), TimeUnit.MILLISECONDS));
    assertRuns();
  }

  private void assertRuns() {
    for (CompletableFuture<Void> client : List.of(writer, watcher)) {
      if (client.isDone()) {
        client.join(); // throws why
      }
    }
  }

  /** Ends it; what must be there now: a number for each id. */
  Map<String, Long> end() {
    close();
    assertTrue(looks.get() > 0, "no health was seen");
    assertEquals(List.of(), reds);
    return expected;
  }

  @Override
  public void close() {
    stopped.countDown();
    writer.join();
    watcher.join();
  }

  private void write() {
    assertTrue(repeated.size() < IDS / 2, () -> "most requests fail: " + failures);
    Map<String, Optional<Long>> documents = new LinkedHashMap<>();
    while (documents.size() < AT_ONCE) {
      String id = Integer.toString(random.nextInt(IDS));
      if (!repeated.contains(id)) {
        documents.put(id, random.nextInt(5) == 0 ? Optional.empty() : Optional.of(number++));
      }
    }
    long began = System.nanoTime();
    for (String by = next(); !isWritten(by, documents); by = next()) {
      assertTrue(
          System.nanoTime() - began < PATIENCE.toNanos(), () -> "no node writes: " + failures);
    }
    documents.forEach(
        (id, value) -> value.ifPresentOrElse(n -> expected.put(id, n), () -> expected.remove(id)));
    acknowledged.addAndGet(documents.size());
  }

  private boolean isWritten(String by, Map<String, Optional<Long>> documents) {
    try {
      if (cluster.write(by, documents)) {
        return true;
      }
      repeated.addAll(documents.keySet());
      failures.merge("not all acknowledged", 1, Integer::sum);
    } catch (ConnectException e) {
      failures.merge("no server", 1, Integer::sum);
    } catch (IOException e) {
      repeated.addAll(documents.keySet());
      failures.merge(e.toString(), 1, Integer::sum);
    }
    return false;
  }

  private String next() {
    List<String> running = cluster.running();
    return running.get(turn++ % running.size());
  }

  private void look() {
    for (String by : cluster.running()) {
      try {
        cluster.red(by).ifPresent(reds::add);
        looks.incrementAndGet();
      } catch (IOException e) {
        // It stops or starts, and knows nothing.
      }
    }
  }

  @Override
  public String toString() {
    return "%d writes acknowledged, %d documents left, %d of them written twice, requests failed: %s; no shard red in %d looks"
        .formatted(acknowledged.get(), expected.size(), repeated.size(), failures, looks.get());
  }
}
