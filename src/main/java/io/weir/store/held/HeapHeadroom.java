package io.weir.store.held;

import io.weir.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decides whether the heap has room for Weir's optional memory: a quarter of the maximum heap stays
 * free for the application.
 *
 * <p>Garbage cannot be distinguished from live objects until a collection. So there are three
 * estimates of what is live, none of which can be too low for long, and the lowest counts:
 *
 * <ol>
 *   <li>All used heap. This is cheap, and often enough.
 *   <li>Of pools for new objects, what the last collection has left there: most of what was
 *       allocated since is garbage. Of pools for old objects, all that is used: what a collection
 *       promotes is likely to live. Before a first collection, all is counted.
 *   <li>The lowest use right after a collection of the old objects in the last minute, plus what
 *       Weir has taken since. G1 and Shenandoah leave garbage behind in most collections, so the
 *       lowest one tells most. In a growing application it is too low for that minute.
 * </ol>
 *
 * <p>Weir's own share must not be counted twice, so this knows it: bytes are promised first, then
 * filled, and dropped in the end. Where it is not known whether a collection has seen them, they
 * are counted twice until the next one.
 *
 * <p>It asks the memory beans and registers no listener with them, because a listener would keep
 * the class loader of Weir alive.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Failure:</b> if the memory beans are missing or
 * denied, all garbage counts as used.
 *
 * <p>Source, for the pools: {@code MemoryPoolMXBean.getCollectionUsage} of JDK 25. Serial and
 * Parallel update their old pool in full collections, G1 in mixed ones, ZGC in major cycles;
 * Shenandoah has one pool and updates it in each cycle.
 */
public final class HeapHeadroom {

  /** Of the heap of this JVM. */
  public static final HeapHeadroom OF_THIS_JVM =
      new HeapHeadroom(
          Runtime.getRuntime().maxMemory(),
          () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
          HeapHeadroom::poolsOfThisJvm,
          NanoClock.SYSTEM);

  private static final int FREE_PARTS = 4;
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * A part of the heap.
   *
   * @param isForNewObjects whether objects are allocated here; false for old objects
   * @param usedBytes now, garbage included
   * @param collectedBytes used right after its last collection; {@link #NEVER} before the first
   */
  record Pool(boolean isForNewObjects, long usedBytes, long collectedBytes) {

    static final long NEVER = -1;

    boolean isCollected() {
      return collectedBytes != NEVER;
    }
  }

  /** What the application used right after a collection of old objects. */
  private record Collection(long nanos, long applicationBytes) {}

  private final long usableBytes;
  private final LongSupplier usedBytes;
  private final Supplier<List<Pool>> pools;
  private final NanoClock clock;

  // Of Weir, for all of its memories.
  private final AtomicLong promisedBytes = new AtomicLong(); // not allocated yet
  private final AtomicLong filledBytes = new AtomicLong();

  // All guarded by this.
  private final Deque<Collection> lowest = new ArrayDeque<>(); // ascending in time and bytes
  private List<Pool> lastPools = List.of();
  private long filledAtLastLook;
  private long filledAtCollection; // at most this much of Weir has the last collection seen

  /**
   * Of another heap.
   *
   * @param usedBytes all used heap
   * @param pools the parts of the heap; empty if they are unknown
   */
  HeapHeadroom(long maxBytes, LongSupplier usedBytes, Supplier<List<Pool>> pools, NanoClock clock) {
    this.usableBytes = maxBytes - maxBytes / FREE_PARTS;
    this.usedBytes = usedBytes;
    this.pools = pools;
    this.clock = clock;
  }

  /** The most that can ever be admitted. */
  long usableBytes() {
    return usableBytes;
  }

  /** Whether this many more bytes would leave the application its share. */
  boolean admits(long bytes) {
    return bytes <= cheapRoomBytes() || bytes <= roomBytes();
  }

  /** Room for more than what is promised; negative if there is not even room for that. */
  public long roomBytes() {
    return Math.max(cheapRoomBytes(), roomAfterCollections());
  }

  private long cheapRoomBytes() {
    return usableBytes - usedBytes.getAsLong() - promisedBytes.get();
  }

  private synchronized long roomAfterCollections() {
    List<Pool> now = pools.get();
    long filled = filledBytes.get();
    look(now, filled);
    if (now.isEmpty()) {
      return Long.MIN_VALUE;
    }
    long livingBytes = living(now) + Math.max(0, filled - filledAtCollection);
    if (!lowest.isEmpty()) {
      livingBytes = Math.min(livingBytes, lowest.getFirst().applicationBytes() + filled);
    }
    return usableBytes - livingBytes - promisedBytes.get();
  }

  private static long living(List<Pool> pools) {
    long bytes = 0;
    for (Pool pool : pools) {
      bytes +=
          pool.isForNewObjects() && pool.isCollected()
              ? Math.min(pool.usedBytes(), pool.collectedBytes())
              : pool.usedBytes();
    }
    return bytes;
  }

  /** Notes collections since the last look. */
  private void look(List<Pool> now, long filled) {
    long nowNanos = clock.nanoTime();
    long seenBytes = Math.min(filledAtLastLook, filled);
    boolean first = lastPools.isEmpty();
    boolean any = false;
    boolean ofOldObjects = !now.isEmpty();
    boolean hasOldObjects = now.stream().anyMatch(pool -> !pool.isForNewObjects());
    boolean changedOld = false;
    for (int i = 0; i < now.size(); i++) {
      Pool pool = now.get(i);
      boolean changed =
          first
              || i >= lastPools.size()
              || pool.collectedBytes() != lastPools.get(i).collectedBytes();
      any |= changed;
      if (!hasOldObjects || !pool.isForNewObjects()) {
        changedOld |= changed;
        ofOldObjects &= pool.isCollected();
      }
    }
    if (any) {
      filledAtCollection = seenBytes;
    }
    if (!first && changedOld && ofOldObjects) {
      long collected = now.stream().mapToLong(pool -> Math.max(0, pool.collectedBytes())).sum();
      add(new Collection(nowNanos, Math.max(0, collected - seenBytes)));
    }
    while (!lowest.isEmpty() && nowNanos - lowest.getFirst().nanos() > WINDOW_NANOS) {
      lowest.removeFirst();
    }
    filledAtLastLook = filled;
    lastPools = now;
  }

  /** Those that are older and not lower will never be the lowest again. */
  private void add(Collection collection) {
    while (!lowest.isEmpty()
        && lowest.getLast().applicationBytes() >= collection.applicationBytes()) {
      lowest.removeLast();
    }
    lowest.addLast(collection);
  }

  /** Weir will allocate these bytes. */
  public void promise(long bytes) {
    promisedBytes.addAndGet(bytes);
  }

  /** Weir has allocated bytes that were promised. */
  void fill(long bytes) {
    filledBytes.addAndGet(bytes);
    promisedBytes.addAndGet(-bytes);
  }

  /** Weir needs these bytes no more. */
  public void drop(long promised, long filled) {
    promisedBytes.addAndGet(-promised);
    filledBytes.addAndGet(-filled);
  }

  /** A collection has reclaimed bytes of Weir, so the last one may have been without them. */
  synchronized void reclaimed(long filled) {
    filledBytes.addAndGet(-filled);
    filledAtLastLook = Math.max(0, filledAtLastLook - filled);
    filledAtCollection = Math.max(0, filledAtCollection - filled);
    lowest.clear();
  }

  private static List<Pool> poolsOfThisJvm() {
    try {
      return Beans.POOLS.stream().map(HeapHeadroom::pool).toList();
    } catch (RuntimeException | LinkageError e) {
      return List.of(); // only the first estimate counts
    }
  }

  private static Pool pool(MemoryPoolMXBean bean) {
    MemoryUsage collected = bean.getCollectionUsage();
    return new Pool(
        Beans.isForNewObjects(bean.getName()),
        bean.getUsage().getUsed(),
        collected == null || collected.getCommitted() == 0 ? Pool.NEVER : collected.getUsed());
  }

  /** The memory pools, looked up at first use. */
  private static final class Beans {

    static final List<MemoryPoolMXBean> POOLS =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    /** Eden, survivors and young generations; and the only pool of a collector without ages. */
    static boolean isForNewObjects(String name) {
      return POOLS.size() == 1
          || name.contains("Eden")
          || name.contains("Survivor")
          || name.contains("Young");
    }
  }
}
