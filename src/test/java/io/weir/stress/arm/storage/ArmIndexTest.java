package io.weir.stress.arm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Weir;
import io.weir.rate.Rate;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.store.DirectoryPlan;
import io.weir.store.MergePageCache;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesDirectory;
import io.weir.stress.Await;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.MappingAdvice;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.VectorFormat;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmIndexTest {

  @TempDir Path temp;

  private final QuickArm arm = new QuickArm();

  /** With the directory alone the merge heard of its abort when it had got another megabyte. */
  @Test
  void rollback_whileAForcedMergeWaitsUnderAPausedCap_endsBoth() throws Exception {
    arm.set(ArmSetting.CAP, Rate.PAUSED);
    SmallIndex.build(temp, 2000);
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path);
        AutoCloseable lift =
            () -> path.counters().throttle().orElseThrow().budget().setRate(Rate.UNLIMITED)) {
      assertNotNull(lift); // it ends what a failure of this test would leave
      FutureTask<Void> merge = started(() -> index.writer().forceMerge(1));
      Await.until(
          "the merge waits for a grant",
          () -> path.counters().throttle().orElseThrow().budget().snapshot().waiting() > 0);

      FutureTask<Void> rollback = started(index::rollback);
      rollback.get(60, TimeUnit.SECONDS);

      assertThrows(ExecutionException.class, () -> merge.get(60, TimeUnit.SECONDS));
      assertEquals(0, path.counters().meter().running());
    }
    try (Directory directory = FSDirectory.open(temp);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(2000, reader.numDocs());
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private static FutureTask<Void> started(Action action) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              action.run();
              return null;
            });
    Thread.ofPlatform().start(task);
    return task;
  }

  @Test
  void open_eachSetting_isInTheIndex() throws Exception {
    SmallIndex.build(temp, 200);
    arm.set(ArmSetting.SMALL_FILES, OptionalLong.of(4000));
    try (ArmIndex index = open()) {
      assertInstanceOf(MMapDirectory.class, FilterDirectory.unwrap(index.writer().getDirectory()));
      assertNotNull(index.writer().getConfig().getMergedSegmentWarmer());
      SmallFilesDirectory small =
          layers(index, SmallFilesDirectory.class).findFirst().orElseThrow();
      assertTrue(small.isActive(), small.reason());
      assertEquals(4000, small.options().maxFileBytes());
      assertTrue(small.snapshot().readFiles() > 0);
    }
    arm.set(ArmSetting.SMALL_FILES, OptionalLong.empty());
    try (ArmIndex index = open()) {
      assertEquals(0, layers(index, SmallFilesDirectory.class).count());
    }
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.DIRECT);
    try (ArmIndex index = open()) {
      assertTrue(layers(index, DirectIODirectory.class).findAny().isPresent());
    }
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.NIO);
    arm.set(ArmSetting.WARMER, false);
    try (ArmIndex index = open()) {
      assertInstanceOf(NIOFSDirectory.class, FilterDirectory.unwrap(index.writer().getDirectory()));
      assertNull(index.writer().getConfig().getMergedSegmentWarmer());
    }
  }

  /** What is measured is what {@link Weir} gives to applications, with a meter in it. */
  @Test
  void open_presetWeir_isTheRecommendedWhole() throws Exception {
    SmallIndex.build(temp, 200);
    arm.set(ArmSetting.FULL_FLUSH_WAIT, Optional.of(Duration.ZERO));
    Weir weir = Weir.builder().keys(ResidentKeys.of(IndexSchema.KEY)).open(new MMapDirectory(temp));
    IndexWriterConfig recommended = weir.configure(new IndexWriterConfig());
    try (ArmIndex index = open();
        Directory directory = weir.directory()) {
      LiveIndexWriterConfig measured = index.writer().getConfig();
      assertEquals(classes(directory), classes(index.writer().getDirectory()));
      assertEquals(
          recommended.getMergeScheduler().getClass(), measured.getMergeScheduler().getClass());
      assertEquals(recommended.getCodec().getClass(), measured.getCodec().getClass());
      assertEquals(
          recommended.getMergedSegmentWarmer().getClass(),
          measured.getMergedSegmentWarmer().getClass());
      assertEquals(
          recommended.getMaxFullFlushMergeWaitMillis(), measured.getMaxFullFlushMergeWaitMillis());
    }
  }

  /** Engines map stored fields so, and a merge then reads one page at each fault. */
  @Test
  void open_readAdviceByContext_mapsStoredFieldsForRandomReads() throws Exception {
    Path maps = Path.of("/proc/self/smaps");
    assumeTrue(Files.isReadable(maps) && MMapDirectory.supportsMadvise(), "needs Linux");
    SmallIndex.build(
        temp, 2000, new IndexLayout(IdPostings.DEFAULT, CompoundFiles.NEVER, VectorFormat.FLOAT));
    arm.set(ArmSetting.PRESET, Preset.STOCK);
    arm.set(ArmSetting.COMPOUND, CompoundFiles.NEVER);
    try (ArmIndex index = open();
        DirectoryReader reader = DirectoryReader.open(index.writer())) {
      assertEquals(2000, reader.numDocs());
      assertEquals(List.of(), readAtRandom(maps));
    }

    arm.set(ArmSetting.READ_ADVICE, MappingAdvice.BY_CONTEXT);
    try (ArmIndex index = open();
        DirectoryReader reader = DirectoryReader.open(index.writer())) {
      assertEquals(2000, reader.numDocs());
      List<String> files = readAtRandom(maps);
      assertTrue(files.stream().anyMatch(file -> file.endsWith(".fdt")), files.toString());
    }
  }

  /** The files of the index that are mapped with the advice RANDOM. */
  private List<String> readAtRandom(Path maps) throws IOException {
    List<String> files = new ArrayList<>();
    String mapped = "";
    for (String line : Files.readAllLines(maps)) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        mapped = line.substring(line.lastIndexOf(' ') + 1);
      } else if (line.startsWith("VmFlags:")
          && (line + " ").contains(" rr ")
          && mapped.startsWith(temp.toString())) {
        files.add(mapped);
      }
    }
    return files;
  }

  private static List<Class<?>> classes(Directory directory) {
    List<Class<?>> classes = new ArrayList<>();
    for (Directory d = directory; d != null; d = below(d)) {
      if (!d.getClass().isAnonymousClass()) { // as the meter's is
        classes.add(d.getClass());
      }
    }
    return classes;
  }

  private static Directory below(Directory directory) {
    return directory instanceof FilterDirectory filter ? filter.getDelegate() : null;
  }

  /** Lucene counts its cap in megabytes of 1024 * 1024 bytes, and has none by default. */
  @Test
  void open_stockWithLucenesCap_hasItInItsScheduler() throws Exception {
    SmallIndex.build(temp, 200);
    arm.set(ArmSetting.PRESET, Preset.STOCK);
    try (ArmIndex index = open()) {
      assertEquals(Double.POSITIVE_INFINITY, luceneCap(index));
    }
    arm.set(ArmSetting.LUCENE_FORCE_MERGE_CAP, Rate.perSecond(3L << 20));
    try (ArmIndex index = open()) {
      assertEquals(3.0, luceneCap(index));
    }
  }

  private static double luceneCap(ArmIndex index) {
    MergeScheduler scheduler = index.writer().getConfig().getMergeScheduler();
    assertEquals(ConcurrentMergeScheduler.class, scheduler.getClass());
    return ((ConcurrentMergeScheduler) scheduler).getForceMergeMBPerSec();
  }

  /** Small merges would be written by the directory below. */
  @Test
  @Slow("merges an index of 20,000 documents")
  void forceMerge_direct_leavesAnIndexThatIsWhole() throws Exception {
    assumeTrue(directWritesWork(), "the file system has no direct writes");
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.DIRECT);
    SmallIndex.build(temp, 20_000);
    try (ArmIndex index = open()) {
      assertTrue(bytes(index.writer().getDirectory()) > DirectIODirectory.DEFAULT_MIN_BYTES_DIRECT);
      index.writer().forceMerge(1);
      index.writer().commit();
    }
    try (Directory directory = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(directory)) {
      CheckIndex.Status status = check.checkIndex();
      assertTrue(status.clean);
      assertEquals(1, status.numSegments);
    }
  }

  private static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += directory.fileLength(name);
    }
    return bytes;
  }

  private boolean directWritesWork() throws Exception {
    IOContext large = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));
    try (Directory direct = new DirectIODirectory(FSDirectory.open(temp));
        IndexOutput output = direct.createOutput("probe", large)) {
      output.writeInt(1);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
    Files.delete(temp.resolve("probe"));
    return true;
  }

  /** Those of one kind, from the top to the bottom. */
  private static <D extends Directory> Stream<D> layers(ArmIndex index, Class<D> kind) {
    return Stream.iterate(
            index.writer().getDirectory(),
            Objects::nonNull,
            layer -> layer instanceof FilterDirectory filter ? filter.getDelegate() : null)
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  private ArmIndex open() throws Exception {
    return new ArmIndex(temp, arm.settings(), new WritePath(arm.settings()));
  }

  @Test
  void open_noIndexThere_throws() {
    assertThrows(IndexNotFoundException.class, this::open);
  }

  @Test
  void residentIds_ofAnIndexWithKeysApart_areHeldFromTheFirstReaderOn() throws Exception {
    SmallIndex.build(temp, 2000, SmallIndex.APART);
    mergeWithKeysApart(); // else a small flush, of which all is held, may be left
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path);
        DirectoryReader reader = DirectoryReader.open(index.writer())) {
      assertEquals(1, reader.leaves().size());
      awaitResidentSegments(1, path);
      Values held = path.residentKeys();
      long bytes = held.require(ArmFigures.RESIDENT_BYTES);
      // 16 digits of hexadecimal, of which few are shared.
      assertTrue(bytes > 2000 * 10 && bytes < 2000 * 30, held.toString());
      assertEquals(0, held.require(ArmFigures.RESIDENT_OVER_BOUND));
      assertEquals(0, held.require(ArmFigures.RESIDENT_FAULTS));
      assertTrue(bytes < held.require(ArmFigures.RESIDENT_BOUND), held.toString());
    }
    assertEquals(0, path.residentKeys().require(ArmFigures.RESIDENT_BYTES));
    assertTrue(path.residentKeys().require(ArmFigures.RESIDENT_PEAK) > 0);
  }

  private void mergeWithKeysApart() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig().setCodec(ResidentKeys.of(IndexSchema.KEY).codec());
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
  }

  /** An arm may start there as well. */
  @Test
  void residentIds_ofAnIndexOfTheDefaultCodec_areHeldBeforeAndAfterAMerge() throws Exception {
    SmallIndex.build(temp, 2000);
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path)) {
      try (DirectoryReader reader = DirectoryReader.open(index.writer())) {
        assertEquals(2000, reader.numDocs());
        awaitResidentSegments(reader.leaves().size(), path);
      }
      index.writer().addDocument(new Document());
      index.writer().commit();
      index.writer().forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(index.writer())) {
        assertEquals(1, reader.leaves().size());
        awaitResidentSegments(1, path);
        assertTrue(
            path.residentKeys().require(ArmFigures.RESIDENT_BYTES) > 2000 * 10,
            path.residentKeys().toString());
      }
    }
  }

  /** Verification has to wait for what it reads, whoever else goes first. */
  @Test
  void countedReads_areThoseOfVerificationToo() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(1 << 30));
    arm.set(ArmSetting.READERS_FIRST, false);
    arm.set(ArmSetting.MERGE_PAGE_CACHE, MergePageCache.KERNEL);
    SmallIndex.build(temp, 200);
    assertFalse(mergesArePacedReading());

    arm.set(ArmSetting.COUNT_READS, true);

    assertTrue(mergesArePacedReading());
  }

  private boolean mergesArePacedReading() throws IOException {
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path)) {
      boolean paced =
          DirectoryPlan.find(index.writer().getDirectory(), MergeReadsDirectory.class).isPresent();
      assertEquals(paced, path.counters().throttle().orElseThrow().budget().countsReads());
      return paced;
    }
  }

  /** A thread of its own reads each dictionary in. When it does is up to the machine. */
  private static void awaitResidentSegments(int segments, WritePath path) {
    Await.until(
        segments + " dictionaries in memory",
        () -> path.residentKeys().require(ArmFigures.RESIDENT_SEGMENTS) == segments);
  }

  @Test
  void defaultIds_holdNothing() throws Exception {
    arm.set(ArmSetting.ID_POSTINGS, IdPostings.DEFAULT);
    SmallIndex.build(temp, 200);
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path)) {
      assertEquals(Codec.getDefault(), index.writer().getConfig().getCodec());
      assertEquals(Values.NONE, path.residentKeys());
    }
  }
}
