package io.weir.store;

import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.store.held.HeapHeadroom;
import io.weir.store.held.Heaps;
import io.weir.store.keys.DictionaryCopy;
import io.weir.store.keys.DictionaryLoader;
import io.weir.time.DaemonThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DictionaryLoaderTest {

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);
  private static final String BLOCKS = "_0_Lucene104_1.tim";
  private static final String INDEX = "_0_Lucene104_1.tip";
  private static final int MANY = 20_000;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  @TempDir Path temp;

  private void open(Directory directory, List<IndexInput> into) throws IOException {
    into.add(directory.openInput(BLOCKS, IOContext.DEFAULT));
    into.add(directory.openInput(INDEX, IOContext.DEFAULT));
  }

  /** Each one that was opened or closed once cost a round over all. */
  @Test
  void open_ofManyWithoutRoom_visitsEachOnce_andSoDoesClosing() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 10);
    AtomicLong looks = new AtomicLong();
    HeapHeadroom heap = Heaps.of(Long.MAX_VALUE, () -> looks.getAndIncrement() * 0);
    SteppedLoader loader = new SteppedLoader(0, heap, bytes -> bytes);
    List<IndexInput> open = new ArrayList<>();
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS)) {
      for (int i = 0; i < MANY; i++) {
        open(resident, open);
        loader.load();
      }
      assertEquals(2L * MANY, resident.snapshot().waitingFiles());
      assertEquals(MANY, loader.memory.snapshot().refusals());
      for (int second = 0; second < 10; second++) {
        loader.goRound();
      }
      assertEquals(MANY, loader.memory.snapshot().refusals());
      IOUtils.close(open);
      assertEquals(0, resident.snapshot().waitingFiles());
    }
    assertEquals(MANY, loader.memory.snapshot().refusals());
    assertTrue(looks.get() <= 2L * MANY, looks + " looks at the heap");
  }

  /** With room for some, each that is closed lets another in. */
  @Test
  void close_ofManyWhileOthersWait_visitsOneForEach() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 10);
    int many = MANY / 10;
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);
    List<IndexInput> open = new ArrayList<>();
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS)) {
      open(resident, open);
      long bytes = loader.memory.bytes();
      loader.memory.setMaxBytes(bytes * many / 2);
      for (int i = 1; i < many; i++) {
        open(resident, open);
        loader.load();
      }
      assertEquals(many, resident.snapshot().files());
      assertEquals(many, resident.snapshot().waitingFiles());
      for (int i = 0; i < many; i += 2) {
        IOUtils.close(open.get(i), open.get(i + 1));
        loader.load();
      }
      assertEquals(many, resident.snapshot().files());
      assertEquals(0, resident.snapshot().waitingFiles());
      assertTrue(resident.snapshot().attempts() <= 2L * many, resident.snapshot().toString());
      IOUtils.close(open);
    }
    assertEquals(0, loader.memory.bytes());
  }

  @Test
  void limitOfTheIndex_reached_waitsForRoomOfTheIndexAlone() throws IOException {
    Path other = Files.createDirectory(temp.resolve("other"));
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    KeyedIndex.build(FSDirectory.open(other), config(false, KEYS), 1, 1000);
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);
    try (Directory files = FSDirectory.open(temp)) {
      long bytes = files.fileLength(BLOCKS) + files.fileLength(INDEX);
      ResidentDirectory bounded = loader.directory(files, KEYS.withMaxBytes(bytes));
      DirectoryReader first = DirectoryReader.open(bounded);
      DirectoryReader second = DirectoryReader.open(bounded);
      assertEquals(2, bounded.snapshot().waitingFiles());
      long attempts = bounded.snapshot().attempts();
      try (ResidentDirectory free = loader.directory(FSDirectory.open(other), KEYS)) {
        DirectoryReader.open(free).close();
        loader.goRound();
        assertEquals(attempts, bounded.snapshot().attempts(), "room elsewhere is not its room");
      }
      first.close();
      loader.load();
      assertEquals(2, bounded.snapshot().files());
      assertEquals(0, bounded.snapshot().waitingFiles());
      second.close();
    }
    assertEquals(0, loader.memory.bytes());
  }

  /** What was copied is given up in the end, so that its room is not lost for others. */
  @Test
  void heap_staysShort_copyIsGivenUpAfterItsPatience_andReadLater() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    AtomicLong used = new AtomicLong();
    AtomicLong looks = new AtomicLong();
    HeapHeadroom heap =
        Heaps.of(1 << 30, () -> looks.incrementAndGet() == 3 ? 1 << 30 : used.get());
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE, heap, bytes -> bytes);
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      used.set(1 << 30);
      long read = resident.snapshot().readBytes();
      assertTrue(read > 0 && resident.snapshot().bytes() > read, resident.snapshot().toString());
      loader.clock.advanceNanos(DictionaryCopy.PATIENCE.toNanos() - 1);
      loader.goRound();
      assertEquals(0, resident.snapshot().wastedBytes());
      loader.clock.advanceNanos(1);
      loader.goRound();
      assertEquals(read, resident.snapshot().wastedBytes());
      assertEquals(read, loader.memory.snapshot().wastedBytes());
      assertEquals(0, resident.snapshot().bytes());
      assertEquals(0, loader.memory.bytes());
      used.set(0);
      loader.clock.advanceNanos(Heaps.LONGEST_BACKOFF.toNanos());
      loader.goRound();
      assertEquals(2, resident.snapshot().files());
      KeyedIndex.assertVersion("first", reader, 5);
    }
    assertEquals(0, loader.memory.bytes());
  }

  @Test
  void close_whileACopyIsStopped_givesItsRoomBack() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    AtomicLong looks = new AtomicLong();
    HeapHeadroom heap = Heaps.of(1 << 30, () -> looks.incrementAndGet() == 3 ? 1 << 30 : 0);
    SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE, heap, bytes -> bytes);
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS)) {
      DirectoryReader.open(resident).close();
      assertEquals(0, resident.snapshot().bytes());
      assertEquals(0, resident.snapshot().wastedBytes());
      assertEquals(0, loader.memory.bytes());
      assertFalse(loader.isDue());
    }
  }

  @Test
  void lanes_areThoseOfDisks_orOfAnUnknownDirectory() throws IOException {
    DictionaryLoader loader = new SteppedLoader(0).loader;
    try (Directory files = FSDirectory.open(temp);
        Directory more = FSDirectory.open(Files.createDirectory(temp.resolve("more")));
        Directory wrapped = new SmallFilesDirectory(files, SmallFilesOptions.DEFAULT);
        Directory foreign = new FilterDirectory(files) {}) {
      assertSame(loader.laneOf(files), loader.laneOf(more));
      assertSame(loader.laneOf(files), loader.laneOf(wrapped));
      assertNotSame(loader.laneOf(files), loader.laneOf(foreign));
      assertSame(loader.laneOf(foreign), loader.laneOf(foreign));
    }
  }

  /** The look each second, on a clock that the test moves. */
  @Test
  void look_whileADictionaryWaits_isEachSecond_andItsThreadEndsWhenNothingIsOpen()
      throws Exception {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    SteppedClock clock = new SteppedClock();
    AtomicLong used = new AtomicLong(Long.MAX_VALUE / 2);
    HeapHeadroom heap = Heaps.of(Long.MAX_VALUE / 2, used::get);
    List<Thread> looking = new ArrayList<>();
    DictionaryLoader loader =
        new DictionaryLoader(
            Heaps.memory("key dictionaries", Long.MAX_VALUE, heap, clock),
            byte[]::new,
            clock,
            Runnable::run,
            task -> {
              Thread thread = DaemonThreads.unstarted("look", task);
              looking.add(thread);
              thread.start();
            });
    ResidentDirectory resident =
        new ResidentDirectory(
            FSDirectory.open(temp), KEYS, ResidentDirectory.MAX_SHARED_BYTES, loader);
    DirectoryReader reader = DirectoryReader.open(resident);
    Thread look = looking.getFirst();
    clock.awaitParked(look);
    used.set(0);
    clock.advanceNanos(SECOND_NANOS - 1);
    clock.awaitParked(look);
    assertEquals(2, resident.snapshot().waitingFiles());
    clock.advanceNanos(1);
    clock.awaitParked(look);
    assertEquals(2, resident.snapshot().files());
    reader.close();
    clock.advanceNanos(SECOND_NANOS);
    look.join();
    assertFalse(loader.isLooking());
    assertEquals(1, looking.size());
    resident.close();
  }

  /**
   * The JDK's thread for delays once started here, in the group of whoever came first, and never
   * ended: Lucene's tests call that a leak of the test that was first.
   */
  @Test
  void threads_ofTheProcess_areNotInTheGroupOfWhoOpens() throws Exception {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, 1000);
    ThreadGroup group = new ThreadGroup("of an application");
    List<Thread> left = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    Thread opening =
        new Thread(
            group,
            () -> {
              try (ResidentDirectory resident =
                      new ResidentDirectory(FSDirectory.open(temp), KEYS);
                  DirectoryReader reader = DirectoryReader.open(resident)) {
                assertEquals(1000, reader.numDocs());
                Thread[] all = new Thread[100];
                int count = group.enumerate(all);
                for (int i = 0; i < count; i++) {
                  if (all[i] != Thread.currentThread()) {
                    left.add(all[i]);
                  }
                }
              } catch (IOException | RuntimeException | Error e) {
                failures.add(e);
              }
            });
    opening.start();
    opening.join();
    assertEquals(List.of(), failures);
    assertEquals(List.of(), left);
  }
}
