package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.rate.ByteBudget;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.writeback.WritebackMedium;
import io.weir.suite.LinkedIndex;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Charged equals written: real merges of every kind of data, with the bytes counted again, by an
 * independent directory below the wrapper. The audit is as exact with writeback smoothing between:
 * each index is built once, and audited under each plan. While nothing else writes, every byte that
 * arrives below is a merge's. Points, whose temporary files carry no merge context, are audited in
 * {@link LuceneDefect1TempFilesEscapeTest}.
 */
class MergeAuditTest {

  private static final int RANGE_BYTES = 65536;

  /** What is between the writer and the counting directory. */
  private enum Plan {
    CHARGE,
    CHARGE_AND_WRITEBACK
  }

  @TempDir Path temp;

  @Test
  void forceMerge_text_chargesWhatIsWritten() throws Exception {
    audit(
        4,
        3000,
        MergeAuditTest::plain,
        (document, random) -> document.add(text("body", words(random, 60))));
  }

  @Test
  void forceMerge_storedFieldsAndDocValues_chargesWhatIsWritten() throws Exception {
    audit(
        4,
        3000,
        MergeAuditTest::plain,
        (document, random) -> {
          document.add(new StoredField("source", words(random, 40)));
          document.add(new NumericDocValuesField("number", random.nextLong()));
          document.add(new SortedDocValuesField("word", new BytesRef(words(random, 1))));
          document.add(new BinaryDocValuesField("bytes", new BytesRef(words(random, 5))));
        });
  }

  @Test
  void forceMerge_sortedIndex_chargesWhatIsWritten() throws Exception {
    audit(
        4,
        2000,
        () -> plain().setIndexSort(new Sort(new SortField("number", SortField.Type.LONG))),
        (document, random) -> {
          document.add(new NumericDocValuesField("number", random.nextLong()));
          document.add(text("body", words(random, 30)));
          document.add(new StoredField("source", words(random, 30)));
        });
  }

  @Test
  void forceMerge_vectors_chargesWhatIsWritten() throws Exception {
    audit(
        3,
        800,
        MergeAuditTest::plain,
        (document, random) -> {
          float[] vector = new float[16];
          for (int i = 0; i < vector.length; i++) {
            vector[i] = random.nextFloat();
          }
          document.add(new KnnFloatVectorField("vector", vector));
        });
  }

  @Test
  void forceMerge_compoundFile_chargesItAsWell() throws Exception {
    List<CountingDirectory> audited =
        audit(
            4,
            1000,
            () -> {
              IndexWriterConfig config = plain();
              config.getMergePolicy().setNoCFSRatio(1.0);
              return config;
            },
            (document, random) -> document.add(text("body", words(random, 60))));
    for (CountingDirectory below : audited) {
      assertTrue(below.bytesOfFilesEnding(".cfs") > 0, "no compound file");
    }
  }

  @Test
  void addIndexes_ofDirectories_chargesTheCopies() throws Exception {
    addIndexes(
        (writer, source) -> {
          try {
            writer.addIndexes(source);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void addIndexes_ofReaders_chargesWhatIsWritten() throws Exception {
    addIndexes(
        (writer, source) -> {
          try (DirectoryReader reader = DirectoryReader.open(source)) {
            writer.addIndexes(
                reader.leaves().stream()
                    .map(LeafReaderContext::reader)
                    .map(CodecReader.class::cast)
                    .toArray(CodecReader[]::new));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /**
   * With flushes, deletes and commits between: charged are the merged segments' files, no others.
   */
  @ParameterizedTest
  @EnumSource
  void naturalMerges_amongFlushesAndCommits_chargesOnlyTheMergedSegments(Plan plan)
      throws Exception {
    Set<String> mergedSegments = ConcurrentHashMap.newKeySet();
    IndexWriterConfig config =
        plain()
            .setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)))
            .setMaxBufferedDocs(100)
            .setMergeScheduler(
                new ConcurrentMergeScheduler() {
                  @Override
                  public Directory wrapForMerge(MergePolicy.OneMerge merge, Directory in) {
                    mergedSegments.add(merge.getMergeInfo().info.name);
                    return super.wrapForMerge(merge, in);
                  }
                });
    Random random = new Random(7);
    try (CountingDirectory below = new CountingDirectory(FSDirectory.open(temp))) {
      Audited audited = Audited.of(plan, below);
      RateLimitedDirectory directory = audited.directory();
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 6000; i++) {
          Document document = document(i % 4000);
          document.add(new NumericDocValuesField("number", random.nextLong()));
          document.add(new StoredField("source", words(random, 20)));
          writer.updateDocument(new Term("id", Integer.toString(i % 4000)), document);
          if (i % 1000 == 999) {
            writer.commit();
          }
        }
      }
      long merged =
          below.bytesByFile().entrySet().stream()
              .filter(e -> mergedSegments.contains(IndexFileNames.parseSegmentName(e.getKey())))
              .filter(e -> !e.getKey().endsWith(".liv"))
              .mapToLong(e -> e.getValue())
              .sum();
      assertTrue(mergedSegments.size() > 5, "too few merges: " + mergedSegments);
      assertTrue(merged < below.bytes() * 3 / 4, "no flushes among them");
      assertEquals(merged, directory.budget().snapshot().grantedBytes());
      checkIndex(below);
      audited.assertWrittenBack();
    }
  }

  /**
   * The directory under audit, which writes to a counting one.
   *
   * @param smoothing what is between; empty under {@link Plan#CHARGE}
   */
  private record Audited(RateLimitedDirectory directory, Optional<WritebackDirectory> smoothing) {

    static Audited of(Plan plan, CountingDirectory below) {
      if (plan == Plan.CHARGE) {
        return new Audited(
            new RateLimitedDirectory(below, ByteBudget.unlimited()), Optional.empty());
      }
      WritebackOptions options = WritebackOptions.DEFAULT.withRangeBytes(RANGE_BYTES);
      Path path = ((FSDirectory) FilterDirectory.unwrap(below)).getDirectory();
      WritebackMedium medium = WritebackMedium.of(path, "any", options, ForeignLinuxCalls::get);
      WritebackDirectory smoothing =
          new WritebackDirectory(
              below, options, medium, new Disk.UnstartedFiles(RANGE_BYTES), NanoClock.SYSTEM);
      return new Audited(
          new RateLimitedDirectory(smoothing, ByteBudget.unlimited()), Optional.of(smoothing));
    }

    /** It was done, and has ended. */
    void assertWrittenBack() {
      if (smoothing.isEmpty()) {
        return;
      }
      WritebackSnapshot snapshot = smoothing.get().snapshot();
      // Where force is used, files of these sizes are too small for it.
      if (smoothing.get().method() == WritebackMethod.SYNC_FILE_RANGE) {
        assertTrue(snapshot.startedRanges() >= 1, "no file had a range to write back");
      }
      assertEquals(0, snapshot.inFlightRanges());
      assertEquals(0, snapshot.faults());
      assertEquals(0, snapshot.lostFiles());
    }
  }

  /** Audits a forced merge under each plan; what each wrote to, closed. */
  private List<CountingDirectory> audit(
      int segments,
      int documentsEach,
      Supplier<IndexWriterConfig> config,
      BiConsumer<Document, Random> fields)
      throws Exception {
    Path built = temp.resolve("built");
    build(built, segments, documentsEach, config.get().getIndexSort(), fields);
    List<CountingDirectory> all = new ArrayList<>();
    for (Plan plan : Plan.values()) {
      all.add(audit(plan, LinkedIndex.copy(built, temp.resolve(plan.name())), config.get()));
    }
    return all;
  }

  private static CountingDirectory audit(Plan plan, Path index, IndexWriterConfig config)
      throws Exception {
    CountingDirectory below = new CountingDirectory(FSDirectory.open(index));
    Audited audited = Audited.of(plan, below);
    RateLimitedDirectory directory = audited.directory();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      assertEquals(0, below.bytes());
      writer.forceMerge(1);
      assertTrue(below.bytes() > 10_000, "nothing was merged");
      assertEquals(below.bytes(), directory.budget().snapshot().grantedBytes());
      long afterMerge = below.bytes();
      writer.updateDocument(new Term("id", "1"), document(1));
      writer.commit();
      assertTrue(below.bytes() > afterMerge);
      assertEquals(
          afterMerge,
          directory.budget().snapshot().grantedBytes(),
          "a flush or commit was charged");
    }
    checkIndex(below);
    audited.assertWrittenBack();
    below.close();
    return below;
  }

  private void addIndexes(BiConsumer<IndexWriter, Directory> add) throws Exception {
    Path sourcePath = temp.resolve("source");
    build(
        sourcePath,
        2,
        4000,
        null,
        (document, random) -> document.add(text("body", words(random, 40))));
    for (Plan plan : Plan.values()) {
      addIndexes(plan, sourcePath, add);
    }
  }

  private void addIndexes(Plan plan, Path sourcePath, BiConsumer<IndexWriter, Directory> add)
      throws IOException {
    try (Directory source = FSDirectory.open(sourcePath);
        CountingDirectory below =
            new CountingDirectory(FSDirectory.open(temp.resolve(plan.name())))) {
      Audited audited = Audited.of(plan, below);
      RateLimitedDirectory directory = audited.directory();
      try (IndexWriter writer =
          new IndexWriter(directory, plain().setMergePolicy(NoMergePolicy.INSTANCE))) {
        add.accept(writer, source);
        assertTrue(below.bytes() > 10_000, "nothing was copied");
        assertEquals(below.bytes(), directory.budget().snapshot().grantedBytes());
      }
      checkIndex(below);
      audited.assertWrittenBack();
    }
  }

  private static void build(
      Path path, int segments, int documentsEach, Sort sort, BiConsumer<Document, Random> fields)
      throws IOException {
    Random random = new Random(42);
    IndexWriterConfig config =
        plain().setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(false);
    if (sort != null) {
      config.setIndexSort(sort);
    }
    try (Directory directory = FSDirectory.open(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < segments; segment++) {
        for (int i = 0; i < documentsEach; i++) {
          Document document = document(segment * documentsEach + i);
          fields.accept(document, random);
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
  }

  private static void checkIndex(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  private static IndexWriterConfig plain() {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig().setMergePolicy(policy);
  }

  private static Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    return document;
  }

  private static TextField text(String name, String value) {
    return new TextField(name, value, Field.Store.NO);
  }

  private static String words(Random random, int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      words.append(Integer.toString(random.nextInt(5000), 36)).append(' ');
    }
    return words.toString();
  }
}
