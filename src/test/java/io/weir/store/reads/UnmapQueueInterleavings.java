package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.interleavings.Actors;
import io.weir.store.Disk;
import io.weir.store.UnmapSnapshot;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Threads that hand files over, and close their directories. */
final class UnmapQueueInterleavings {

  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger closed = new AtomicInteger();

  /** Each file is closed once, and before the close of its directory ends. */
  void drain_whileOthersHandOver_waitsForItsOwn() throws InterruptedException {
    UnmapQueue queue = new UnmapQueue(8, 2, Thread::new);
    Disk disk = disk();
    Actors.run(() -> use(queue.new Owner(disk)), () -> use(queue.new Owner(disk)));
    assertEquals(4, closed.get());
  }

  /** With one place and one thread for two disks, the callers close the rest. */
  void close_ofTwoDisksWithOneThread_losesNone() throws InterruptedException {
    UnmapQueue queue = new UnmapQueue(1, 1, Thread::new);
    Actors.run(() -> use(queue.new Owner(disk())), () -> use(queue.new Owner(disk())));
    assertEquals(4, closed.get());
  }

  /** Two threads of an application use one directory; no two of its deferred files at a time. */
  void close_ofOneDirectoryByTwo_isOneAfterTheOther() throws InterruptedException {
    UnmapQueue queue = new UnmapQueue(8, 2, Thread::new);
    UnmapQueue.Owner owner = queue.new Owner(disk());
    AtomicInteger inside = new AtomicInteger();
    Closeable file =
        () -> {
          assertEquals(1, inside.incrementAndGet(), "at a time");
          inside.decrementAndGet();
          closed.incrementAndGet();
        };
    Actors.run(() -> owner.close(file), () -> owner.close(file));
    assertEquals(0, owner.drain(LONG));
    assertEquals(2, closed.get());
    UnmapSnapshot end = owner.snapshot();
    assertEquals(0, end.failures(), "the assertion in a file");
    assertEquals(2, end.deferredFiles());
  }

  private void use(UnmapQueue.Owner owner) {
    AtomicInteger own = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      owner.close(
          () -> {
            own.incrementAndGet();
            closed.incrementAndGet();
          });
    }
    assertEquals(0, owner.drain(LONG), "open after the drain");
    assertEquals(2, own.get(), "closed when the drain ends");
    assertTrue(owner.snapshot().pendingFiles() == 0, () -> "" + owner.snapshot());
  }

  private static Disk disk() {
    return Disk.of(new ByteBuffersDirectory()); // one of its own, because it has no path
  }
}
