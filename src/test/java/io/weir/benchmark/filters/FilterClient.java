package io.weir.benchmark.filters;

import com.sun.management.OperatingSystemMXBean;
import io.weir.cache.OffHeapQueryCache;
import io.weir.metrics.QueryCacheSnapshot;
import io.weir.run.RunJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.store.FSDirectory;

/**
 * A JVM that searches for a while with one cache, from several threads, each as fast as it can. It
 * counts the second half.
 */
final class FilterClient {

  /**
   * What to do.
   *
   * @param index the directory of it
   */
  record Task(FilterArm arm, FiltersBenchmark.Plan plan, Path index) {}

  /**
   * What was measured.
   *
   * @param fromSeconds when the second half began, after the JVM
   * @param toSeconds when it ended
   * @param millis of a query at 50, 99, 99.9, 99.99 and 100 per cent
   * @param hits of the cache, in the second half
   * @param misses likewise
   * @param othersPercent of the machine's processors, taken by other processes in the second half
   * @param anonymousBytes the most memory of the process that is no mapped file
   * @param arenaCloseNanos to free memory of the size of a set by closing a shared arena, the
   *     median, while the others search; 0 if not measured
   * @param evictNanos to evict a set from the cache, likewise, the mean
   * @param samples of the heap
   */
  record Result(
      double fromSeconds,
      double toSeconds,
      long queries,
      List<Double> millis,
      long hits,
      long misses,
      double othersPercent,
      long anonymousBytes,
      long arenaCloseNanos,
      long evictNanos,
      List<Sample> samples) {}

  /** The heap at one moment. */
  record Sample(double seconds, long usedBytes, long committedBytes) {}

  /** Each filter, and nothing else. */
  private record Filters(List<Query> all) implements QueryCachingPolicy {

    @Override
    public void onUse(Query query) {}

    @Override
    public boolean shouldCache(Query query) {
      return all.get(0).getClass().isInstance(query);
    }
  }

  /** Of a cache, until now. */
  private record Lookups(long hits, long misses) {

    static Lookups of(QueryCache cache) {
      if (cache instanceof LRUQueryCache lru) {
        return new Lookups(lru.getHitCount(), lru.getMissCount());
      }
      QueryCacheSnapshot ours = ((OffHeapQueryCache) cache).snapshot();
      return new Lookups(ours.hits(), ours.misses());
    }
  }

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99, 100};
  private static final int SAMPLE_MILLIS = 100;
  private static final int ARENAS = 50;
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final FiltersBenchmark.Plan plan;
  private final QueryCache cache;
  private final IndexSearcher searcher;
  private final Query[] filters;
  private final CountDownLatch filled; // by each client, before it takes filters at random
  private final List<Sample> samples = new ArrayList<>(); // guarded by this
  private long anonymousBytes; // guarded by this
  private volatile boolean isSecondHalf;
  private volatile boolean isOver;

  private FilterClient(Task task, DirectoryReader reader) {
    this.plan = task.plan();
    this.cache = task.arm().cache(plan);
    this.filters = FilterIndex.filters(plan.filters());
    this.filled = new CountDownLatch(plan.threads());
    this.searcher = new IndexSearcher(reader);
    searcher.setQueryCache(cache);
    searcher.setQueryCachingPolicy(new Filters(List.of(filters)));
  }

  /** The JVM itself; its argument is a {@link Task}, its last line a {@link Result}. */
  public static void main(String[] arguments) throws Exception {
    LUCENE.setLevel(Level.SEVERE);
    Task task = RunJson.ofLine(arguments[0], Task.class);
    try (FSDirectory directory = FSDirectory.open(task.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      Result result = new FilterClient(task, reader).run();
      Files.writeString(Path.of(arguments[1]), RunJson.line(result));
    }
  }

  private Result run() throws Exception {
    ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor();
    sampler.scheduleAtFixedRate(this::sample, 0, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    List<FutureTask<Histogram>> clients = new ArrayList<>();
    for (int i = 0; i < plan.threads(); i++) {
      int number = i;
      FutureTask<Histogram> client = new FutureTask<>(() -> search(number));
      clients.add(client);
      Thread.ofPlatform().name("client-" + i).start(client);
    }
    double half = uptime() + plan.seconds() / 2.0;
    filled.await();
    awaitUptime(half);
    Lookups before = Lookups.of(cache);
    PROCESS.getCpuLoad(); // each call tells of the time since the last
    long cpuNanos = PROCESS.getProcessCpuTime();
    double from = uptime();
    isSecondHalf = true;
    awaitUptime(from + plan.seconds() / 2.0);
    isSecondHalf = false;
    double to = uptime();
    double ownShare =
        (PROCESS.getProcessCpuTime() - cpuNanos)
            / 1e9
            / (to - from)
            / PROCESS.getAvailableProcessors();
    double othersPercent = 100 * Math.max(0, PROCESS.getCpuLoad() - ownShare);
    Lookups after = Lookups.of(cache);
    long arenaCloseNanos = cache instanceof OffHeapQueryCache ? arenaCloseNanos() : 0;
    long evictNanos = cache instanceof OffHeapQueryCache ours ? evictNanos(ours) : 0;
    isOver = true;
    Histogram all = new Histogram(3);
    for (FutureTask<Histogram> client : clients) {
      all.add(client.get());
    }
    sampler.shutdown();
    sampler.awaitTermination(1, TimeUnit.MINUTES);
    synchronized (this) {
      return new Result(
          from,
          to,
          all.getTotalCount(),
          Arrays.stream(PERCENTILES)
              .mapToObj(percentile -> all.getValueAtPercentile(percentile) / 1e6)
              .toList(),
          after.hits() - before.hits(),
          after.misses() - before.misses(),
          othersPercent,
          anonymousBytes,
          arenaCloseNanos,
          evictNanos,
          List.copyOf(samples));
    }
  }

  private Histogram search(int number) throws IOException {
    try {
      fill(number);
    } finally {
      filled.countDown();
    }
    SplittableRandom random = new SplittableRandom(number);
    Histogram nanos = new Histogram(3);
    while (!isOver) {
      Query filter = filters[random.nextInt(filters.length)];
      Query query = FilterIndex.query(random.nextInt(plan.documents()), filter);
      long startNanos = System.nanoTime();
      searcher.search(query, 1);
      long endNanos = System.nanoTime();
      if (isSecondHalf) {
        nanos.recordValue(endNanos - startNanos);
      }
    }
    return nanos;
  }

  /** Its part of the filters, so that none is computed twice. */
  private void fill(int number) throws IOException {
    for (int i = number; i < filters.length; i += plan.threads()) {
      searcher.search(FilterIndex.query(0, filters[i]), 1);
    }
  }

  private synchronized void sample() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    samples.add(new Sample(uptime(), heap.getUsed(), heap.getCommitted()));
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("RssAnon:")) {
          anonymousBytes =
              Math.max(anonymousBytes, Long.parseLong(line.replaceAll("[^0-9]", "")) << 10);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Foreign Memory API, which is final since Java 22, by reflection. */
  private long arenaCloseNanos() throws ReflectiveOperationException {
    Class<?> arena = Class.forName("java.lang.foreign.Arena");
    Method allocate = arena.getMethod("allocate", long.class, long.class);
    Method close = arena.getMethod("close");
    Method open = arena.getMethod("ofShared");
    long[] nanos = new long[ARENAS];
    for (int i = 0; i < ARENAS; i++) {
      Object one = open.invoke(null);
      allocate.invoke(one, plan.documents() / 8L, 8L);
      long startNanos = System.nanoTime();
      close.invoke(one);
      nanos[i] = System.nanoTime() - startNanos;
    }
    Arrays.sort(nanos);
    return nanos[ARENAS / 2];
  }

  private static long evictNanos(OffHeapQueryCache cache) {
    long sets = Math.max(1, cache.snapshot().sets());
    long startNanos = System.nanoTime();
    cache.clear();
    return (System.nanoTime() - startNanos) / sets;
  }

  private static void awaitUptime(double seconds) throws InterruptedException {
    long leftMillis = (long) (1000 * (seconds - uptime()));
    if (leftMillis > 0) {
      new CountDownLatch(1).await(leftMillis, TimeUnit.MILLISECONDS);
    }
  }

  private static double uptime() {
    return ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
  }
}
