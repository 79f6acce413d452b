package io.weir;

import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.suite.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * An application with a small heap and a cache that churns, which opens an index on a slow disk:
 * {@link KeyLoadingTest} starts it. Arguments: {@code churn} or {@code idle}, the directory of the
 * index, and for how many seconds it may wait. It prints the files of dictionaries that are held,
 * and the bytes read to load them.
 *
 * <p>Idle, it has no cache. Once the dictionary is held, nothing uses it, and the heap is collected
 * twice.
 */
final class KeyLoading {

  /** Of the cache: a quarter of a heap of 256 MiB. */
  private static final int CACHED_BYTES = 64 << 20;

  private static final int ENTRY_BYTES = 16 << 10;
  private static final int ENTRIES_A_TURN = 100;
  private static final long TURN_NANOS = 20_000_000;

  /** What the cache allocates before the index is opened, so that the collector has worked. */
  private static final int WARM_ENTRIES = 3 * CACHED_BYTES / ENTRY_BYTES;

  private static final long DISK_BYTES_PER_SECOND = 10_000_000;
  private static final long LOOK_NANOS = 10_000_000;
  private static final int IDLE_COLLECTIONS = 2;
  private static final long IDLE_NANOS = 3_000_000_000L;

  private KeyLoading() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    boolean idle = arguments[0].equals("idle");
    if (!idle) {
      churn();
    }
    SlowDictionaries disk = new SlowDictionaries(FSDirectory.open(Path.of(arguments[1])));
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(disk);
    try (Directory directory = weir.directory();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ResidentDirectory resident =
          DirectoryPlan.find(directory, ResidentDirectory.class).orElseThrow();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
      while (resident.snapshot().files() == 0 && System.nanoTime() < end) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      for (int i = 0; idle && i < IDLE_COLLECTIONS; i++) {
        long gone = System.nanoTime() + IDLE_NANOS;
        while (System.nanoTime() < gone) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        System.gc();
      }
      ChildJvm.output()
          .println(
              "%d files held, %d bytes read, %d documents"
                  .formatted(resident.snapshot().files(), disk.readBytes.get(), reader.numDocs()));
    }
  }

  /** Replaces entries of a cache at random, for ever; returns when the cache is warm. */
  private static void churn() throws InterruptedException {
    CountDownLatch warm = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              byte[][] cache = new byte[CACHED_BYTES / ENTRY_BYTES][];
              Random random = new Random(1);
              for (long entry = 1; ; entry++) {
                cache[random.nextInt(cache.length)] = new byte[ENTRY_BYTES];
                if (entry % ENTRIES_A_TURN == 0) {
                  LockSupport.parkNanos(TURN_NANOS);
                }
                if (entry == WARM_ENTRIES) {
                  warm.countDown();
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    warm.await();
  }

  /** A disk that gives the files of dictionaries slowly, and counts what is read of them. */
  private static final class SlowDictionaries extends FilterDirectory {

    final AtomicLong readBytes = new AtomicLong();

    SlowDictionaries(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      return name.endsWith(".tim") || name.endsWith(".tip")
          ? new FilterIndexInput("Slow(" + input + ")", input) {
            @Override
            public void readBytes(byte[] bytes, int offset, int length) throws IOException {
              in.readBytes(bytes, offset, length);
              readBytes.addAndGet(length);
              LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(length) / DISK_BYTES_PER_SECOND);
            }
          }
          : input;
    }
  }
}
