package io.weir.store.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.fakes.AutoClock;
import io.weir.store.ResidentKeys;
import io.weir.store.held.Heaps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DictionaryMemoryTest {

  private static final long HEAP_BYTES = 1 << 20;

  /** What happens, once, while the process is asked for heap. */
  private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

  private long usedBytes;
  private int enqueued;

  private final DictionaryMemory memory =
      new DictionaryMemory(
          ResidentKeys.of("id").withMaxBytes(100),
          new DictionaryLoader(
              Heaps.memory("things", HEAP_BYTES, Heaps.of(HEAP_BYTES, this::used)),
              byte[]::new,
              new AutoClock(),
              Runnable::run,
              look -> {}));

  private final WaitingRoom.Waiter waiter =
      new WaitingRoom.Waiter() {
        @Override
        public void enqueue() {
          enqueued++;
        }

        @Override
        public void load() {}
      };

  private long used() {
    meanwhile.getAndSet(() -> {}).run();
    return usedBytes;
  }

  private static DictionaryFiles file(String name, long bytes) {
    return new DictionaryFiles(
        new DictionaryFiles.File(name, bytes, null, null, DictionaryFiles.Parts.WHOLE),
        Optional.empty());
  }

  private DictionaryMemory.Share reserve(DictionaryFiles files) throws IOException {
    return memory.reserve(files, files.blocks().ranges());
  }

  @Test
  void release_whileOneWaits_enqueuesIt() throws IOException {
    DictionaryMemory.Share share = reserve(file("_0.tim", 80));
    assertNull(reserve(file("_1.tim", 80)));
    memory.await(waiter, file("_1.tim", 80));
    assertEquals(0, enqueued);
    share.release();
    share.release();
    assertEquals(1, enqueued);
    assertNotNull(reserve(file("_1.tim", 80)));
    assertEquals(80, memory.snapshot(0, Map.of(), 0, 0).bytes());
  }

  /** It once waited until another dictionary of the index was closed, perhaps for ever. */
  @Test
  void reserve_refusedByTheProcess_enqueuesWhoWaitedForWhatItGaveBack() throws IOException {
    usedBytes = HEAP_BYTES;
    meanwhile.set(
        () -> {
          try {
            memory.await(waiter, file("_1.tim", 80));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertNull(reserve(file("_0.tim", 80)));
    assertEquals(1, enqueued);
  }
}
