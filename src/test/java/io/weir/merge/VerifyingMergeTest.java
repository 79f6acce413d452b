package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Weir;
import io.weir.fakes.AutoClock;
import io.weir.store.DirectoryPlan;
import io.weir.store.KernelPageCache;
import io.weir.store.MergeReadsDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges that can be held up and ended while they verify their input, on files of some MB. */
@Timeout(60)
class VerifyingMergeTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 4000; // files of a megabyte and more in each segment
  private static final long LEAST_KEPT_BYTES = 256 << 10;

  @TempDir static Path plainIndex;
  @TempDir static Path compoundIndex;

  @TempDir Path temp;

  private Weir weir;
  private RateLimitedMergeScheduler scheduler;

  @BeforeEach
  void open() throws IOException {
    weir = Weir.builder().open(temp);
    scheduler = weir.scheduler();
  }

  @BeforeAll
  static void build() throws IOException {
    build(plainIndex, false);
    build(compoundIndex, true);
  }

  private static void build(Path index, boolean compound) throws IOException {
    try (Directory directory = new MMapDirectory(index)) {
      build(directory, compound);
    }
  }

  private static void build(Directory directory, boolean compound) throws IOException {
    MergeLab.build(
        directory,
        SEGMENTS,
        DOCUMENTS,
        (document, random) -> {
          MergeLab.source(document, random);
          for (int i = 0; i < 5; i++) {
            MergeLab.text(document, random);
          }
        },
        compound);
  }

  /** A copy that a test may merge. */
  private void copy(boolean compound) throws IOException {
    try (Directory from = new MMapDirectory(compound ? compoundIndex : plainIndex);
        Directory to = new MMapDirectory(temp)) {
      for (String name : SegmentInfos.readLatestCommit(from).files(true)) {
        to.copyFrom(from, name, name, IOContext.DEFAULT);
      }
    }
  }

  /** If this fails with a newer Lucene, it verifies in another way than the directory knows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_thatVerifies_asksOften_forStoredFieldsAndOthers(boolean compound) throws IOException {
    copy(compound);
    Set<String> verified = ConcurrentHashMap.newKeySet();
    AutoClock clock = new AutoClock();
    RateLimitedMergeScheduler asking =
        new RateLimitedMergeScheduler(
            weir.budget(),
            clock,
            MergeSchedulingClass.OF_THIS_PROCESS,
            GraphMemory.OF_THIS_PROCESS);
    asking.setYield(
        new MergeYield() {
          @Override
          public void mergeBegins() {
            clock.advanceNanos(
                Duration.ofHours(1).toNanos()); // half of a merge's time may be paused
          }

          @Override
          public boolean standAside() {
            verifiedNow().ifVerifying(verified);
            return false;
          }
        });
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, MergeLab.config(asking))) {
      writer.forceMerge(1);
    }
    assertTrue(
        verified.containsAll(
            Set.of("Lucene90CompressingStoredFieldsWriter", "Lucene104PostingsReader")),
        verified.toString());
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_aborted_whileItVerifies_ends(boolean compound) throws Exception {
    copy(compound);
    CountDownLatch verifying = new CountDownLatch(1);
    CountDownLatch aborted = new CountDownLatch(1);
    Set<String> verified = ConcurrentHashMap.newKeySet();
    scheduler.setYield(
        () -> {
          verifiedNow().ifVerifying(verified);
          if (!verified.isEmpty() && verifying.getCount() > 0) {
            verifying.countDown();
            MergeLab.unchecked(aborted::await);
          }
          return false;
        });
    try (Directory directory = weir.directory();
        IndexWriter writer =
            new IndexWriter(directory, weir.configure(MergeLab.config(scheduler)))) {
      FutureTask<Void> merging = MergeLab.forceMerge(writer);
      verifying.await();
      assertEquals(1, scheduler.cancelForcedMerges());
      long writtenBytes = scheduler.totals(MergeKind.FORCED).writtenBytes();
      aborted.countDown();
      Await.until("it has ended", () -> scheduler.totals(MergeKind.FORCED).aborted() == 1);
      assertEquals(writtenBytes, scheduler.totals(MergeKind.FORCED).writtenBytes());
      try {
        merging.get();
      } catch (ExecutionException e) {
        assertTrue(e.getCause() instanceof IOException, "" + e);
      }
      writer.addDocument(MergeLab.document(-1));
      writer.commit();
    }
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.check(directory, SEGMENTS * DOCUMENTS + 1);
      MergeLab.checkNothingLeftOver(directory);
    }
  }

  private void buildWithAttributes(boolean compound) throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    assumeTrue(Files.getFileStore(temp).supportsFileAttributeView("user"));
    try (Directory directory = weir.directory()) {
      build(directory, compound);
    }
  }

  /** As of an index that this process or another one wrote: the checksums are only kept. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_afterARestart_ofADamagedFile_fails(boolean compound) throws IOException {
    buildWithAttributes(compound);
    int damaged = 0;
    for (Path file : files()) {
      if (Files.size(file) < LEAST_KEPT_BYTES) {
        continue;
      }
      for (int percent : new int[] {3, 50, 97}) {
        flipABit(file, percent);
        String what = file + " at " + percent + " %";
        Weir restarted = Weir.builder().open(temp);
        assertThrows(CorruptIndexException.class, () -> forceMerge(restarted), what);
        flipABit(file, percent);
        damaged++;
      }
    }
    assertTrue(damaged >= 3 * SEGMENTS, damaged + " files and places");
    forceMerge(Weir.builder().open(temp));
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.filter(file -> file.getFileName().toString().startsWith("_")).sorted().toList();
    }
  }

  private static void flipABit(Path file, int percent) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long at = channel.size() * percent / 100;
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      channel.write(one.put(0, (byte) (one.get(0) ^ 1)).flip(), at);
    }
  }

  /** A failed merge closes the writer; the cause of that is thrown. */
  private static void forceMerge(Weir of) throws IOException {
    try (Directory directory = of.directory();
        IndexWriter writer =
            new IndexWriter(directory, of.configure(MergeLab.config(of.scheduler())))) {
      try {
        writer.forceMerge(1);
      } catch (IOException | IllegalStateException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
          if (cause instanceof CorruptIndexException corrupt) {
            throw corrupt;
          }
        }
        throw e;
      }
    }
  }

  /** A file keeps the checksums of its blocks: no more of it is read than before the restart. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_afterARestart_verifiesNoFileAsAWhole(boolean compound) throws IOException {
    buildWithAttributes(compound);
    Weir restarted = Weir.builder().open(temp);
    RateLimitedMergeScheduler again = restarted.scheduler();
    Set<String> verified = ConcurrentHashMap.newKeySet();
    again.setYield(
        () -> {
          verifiedNow().ifVerifying(verified);
          return false;
        });
    try (Directory directory = restarted.directory();
        IndexWriter writer =
            new IndexWriter(directory, restarted.configure(MergeLab.config(again)))) {
      writer.forceMerge(1);
    }
    verified.remove("Lucene103BlockTreeTermsReader"); // as in Lucene
    assertEquals(Set.of(), verified);
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  /**
   * What a merge does not read in order stays with the mapping. It reads the norms of its own
   * segment term by term: by ordinary reads that was 16 KiB for each term of each document, and the
   * merge took twice as long.
   */
  @Test
  void merge_ofTextOfManyLengths_readsNoByteMoreThanTwice() throws IOException {
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.build(
          directory,
          SEGMENTS,
          DOCUMENTS,
          (document, random) -> {
            for (int i = random.nextInt(20); i >= 0; i--) {
              MergeLab.text(document, random);
            }
            document.add(new NumericDocValuesField("number", random.nextLong()));
          });
    }
    long inputBytes = 0;
    try (Directory directory = weir.directory()) {
      for (String name : SegmentInfos.readLatestCommit(directory).files(false)) {
        inputBytes += directory.fileLength(name);
      }
      try (IndexWriter writer =
          new IndexWriter(directory, weir.configure(MergeLab.config(scheduler)))) {
        writer.forceMerge(1);
      }
      long bytes =
          DirectoryPlan.find(directory, MergeReadsDirectory.class).orElseThrow().readAheadBytes();
      assertTrue(
          bytes > inputBytes && bytes <= 2 * inputBytes,
          bytes + " bytes were read of " + inputBytes + ", to verify them and to merge them");
    }
  }

  @Test
  void clones_ofOtherThreads_areThoseOfTheDirectoryBelow() throws IOException {
    try (Directory below = new MMapDirectory(plainIndex);
        Directory directory = new MergeReadsDirectory(below);
        IndexInput raw = below.openInput("_0.fdt", IOContext.DEFAULT);
        IndexInput input = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
      assertSame(raw.clone().getClass(), input.clone().getClass());
      assertSame(raw.slice("s", 0, 9).getClass(), input.slice("s", 0, 9).getClass());
      assertFalse(raw.getClass() == input.getClass(), "it was not opened as a large file");
    }
  }

  @Test
  void files_inACompoundFile_haveTheClonesAndSlicesOfTheDirectoryBelow() throws IOException {
    try (Directory below = new MMapDirectory(compoundIndex);
        Directory directory = new MergeReadsDirectory(below);
        IndexInput raw = below.openInput("_0.cfs", IOContext.DEFAULT);
        IndexInput compound = directory.openInput("_0.cfs", IOContext.DEFAULT)) {
      Class<?> slices = raw.slice("_0.fdt", 0, 2 << 20).getClass();
      IndexInput large = compound.slice("_0.fdt", 0, 2 << 20);
      assertFalse(large.getClass() == slices, "it was not opened as a large file");
      assertSame(slices, large.clone().getClass());
      assertSame(slices, large.slice("s", 0, 9).getClass());
      assertSame(slices, compound.slice("_0.fdt", 0, 9).getClass());
    }
  }

  /** The codec whose files are verified on the calling thread's stack: as it asks, or reads. */
  private static Verified verifiedNow() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                new Verified(
                    frames
                        .map(StackWalker.StackFrame::toString)
                        .dropWhile(
                            frame ->
                                !frame.contains("checksumEntireFile")
                                    && !frame.contains("DueVerification"))
                        .filter(frame -> frame.contains(".codecs."))
                        .filter(frame -> !frame.contains("CodecUtil"))
                        .findFirst()
                        .map(
                            frame -> frame.replaceAll(".*codecs[.](?:[a-z0-9]+[.])*(\\w+).*", "$1"))
                        .orElse(null)));
  }

  private record Verified(String className) {

    void ifVerifying(Set<String> classes) {
      if (className != null) {
        classes.add(className);
      }
    }
  }
}
