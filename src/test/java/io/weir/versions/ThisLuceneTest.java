package io.weir.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.architecture.Ring;
import io.weir.fakes.CountingDirectory;
import io.weir.lucene.LuceneGaps;
import io.weir.merge.MergeLab;
import io.weir.merge.MergeTracker;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole library on the Lucene that is on the class path: here the one that Weir is compiled
 * against; {@link LuceneVersionsTest} runs it on all others.
 */
@Timeout(60)
class ThisLuceneTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 800;
  private static final int UPDATES = 50;
  private static final long BYTES_PER_SECOND = 4_000_000;

  private static final String CONTEXT = "slices have no IOContext";

  /** What each version lacks; later ones lack nothing. The table in the documents says the same. */
  private static final Map<String, List<String>> GAPS =
      Map.of(
          "9.12", List.of(CONTEXT),
          "10.0", List.of(CONTEXT),
          "10.1", List.of(CONTEXT),
          "10.2", List.of(CONTEXT));

  @TempDir Path temp;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.UNLIMITED));
  private final Weir.Builder weirs = Weir.builder().budget(budget).keys(ResidentKeys.of("id"));

  @Test
  void library_everyReferenceToLucene_isResolved() throws Exception {
    LinkageCheck check = new LinkageCheck();
    for (String name : classesOfTheLibrary()) {
      check.check(name);
    }
    assertEquals(List.of(), List.copyOf(check.broken()));
    assertTrue(check.references() > 400, "only " + check.references() + " references");
  }

  @Test
  void gaps_areThoseOfThisVersion() {
    String version = LuceneGaps.version().replaceFirst("[.][0-9]+$", "");
    List<String> expected = GAPS.getOrDefault(version, List.of());
    List<String> gaps = LuceneGaps.all();
    assertEquals(expected.size(), gaps.size(), gaps.toString());
    for (int i = 0; i < gaps.size(); i++) {
      assertTrue(gaps.get(i).contains(expected.get(i)), gaps.toString());
    }
  }

  /** Index, update, reopen, merge under a cap, reopen; then stock Lucene reads the index. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forceMerge_underACap_isPaced_chargedToTheByte_andLeavesAWholeIndex(boolean compound)
      throws Exception {
    CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
    Weir weir = weirs.open(below);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config(compound)));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      weir.attach(searchers);
      fill(writer);
      assertEquals(UPDATES, found(searchers, "updated"));
      assertEquals(0, budget.snapshot().grantedBytes(), "a flush was charged");
      writer.commit();

      budget.setBytesPerSecond(BYTES_PER_SECOND);
      long writtenBefore = below.bytes();
      long startNanos = System.nanoTime();
      writer.forceMerge(1);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      long written = below.bytes() - writtenBefore;

      assertEquals(written, budget.snapshot().grantedBytes());
      double burst = BYTES_PER_SECOND * BudgetOptions.DEFAULT_BURST.toNanos() / 1e9;
      assertTrue(written > 2 * burst, "too little was written: " + written);
      assertTrue(
          written <= BYTES_PER_SECOND * seconds + burst, written + " bytes in " + seconds + " s");
      assertEquals(compound, below.bytesOfFilesEnding(".cfs") > 0);

      searchers.maybeRefreshBlocking();
      assertEquals(UPDATES, found(searchers, "updated"));
      ResidentDirectory resident =
          DirectoryPlan.find(directory, ResidentDirectory.class).orElseThrow();
      assertTrue(resident.snapshot().loadedFiles() > 0, resident.snapshot().toString());
      assertEquals(0, resident.snapshot().faults());
      writer.commit();
      assertEquals(written, budget.snapshot().grantedBytes(), "a commit was charged");
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS);
      assertEquals(1, MergeLab.segments(stock));
    }
  }

  /** The keys are in a group of files of their own, in the format that the codec has for them. */
  @Test
  void keys_ofAMergedSegment_haveTheFormatOfTheCodecsOfThisVersion() throws Exception {
    Weir weir = weirs.open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config(false)))) {
      fill(writer);
      writer.forceMerge(1);
      writer.commit();
    }
    try (Directory stock = FSDirectory.open(temp);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      FieldInfos fields = reader.leaves().get(0).reader().getFieldInfos();
      PerFieldPostingsFormat format = (PerFieldPostingsFormat) Codec.getDefault().postingsFormat();
      assertEquals(
          format.getPostingsFormatForField("id").getName(),
          attribute(fields.fieldInfo("id"), PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY));
      assertNotEquals(
          attribute(fields.fieldInfo("body"), PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY),
          attribute(fields.fieldInfo("id"), PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY));
    }
  }

  /** Under Lucene's own scheduler, by the merge policy. */
  @Test
  void forceMerge_thatATrackerFollows_isChargedToTheByte() throws Exception {
    MergeTracker tracker = new MergeTracker(budget);
    CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
    IndexWriterConfig config = config(false).setMergeScheduler(new ConcurrentMergeScheduler());
    config.setMergePolicy(tracker.track(config.getMergePolicy()));
    try (Directory directory = DirectoryPlan.recommended(budget).over(below);
        IndexWriter writer = new IndexWriter(directory, config)) {
      fill(writer);
      writer.commit();
      long writtenBefore = below.bytes();
      writer.forceMerge(1);
      assertEquals(below.bytes() - writtenBefore, budget.snapshot().grantedBytes());
      assertTrue(budget.snapshot().grantedBytes() > 0, "nothing was merged");
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS);
    }
  }

  private static IndexWriterConfig config(boolean compound) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    policy.setSegmentsPerTier(100); // only the forced merge
    return new IndexWriterConfig().setMergePolicy(policy).setUseCompoundFile(compound);
  }

  /** Some segments with every kind of data, and updates that delete from all of them. */
  private static void fill(IndexWriter writer) throws IOException {
    Random random = new Random(42);
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(document(segment * DOCUMENTS + i, random));
      }
      writer.flush();
    }
    for (int i = 0; i < UPDATES; i++) {
      int id = i * SEGMENTS * DOCUMENTS / UPDATES;
      Document document = document(id, random);
      document.add(new StringField("state", "updated", Field.Store.NO));
      writer.updateDocument(new Term("id", Integer.toString(id)), document);
    }
  }

  private static Document document(int id, Random random) {
    Document document = MergeLab.document(id);
    MergeLab.source(document, random);
    MergeLab.text(document, random);
    document.add(new LongPoint("point", random.nextLong(), random.nextLong()));
    document.add(new BinaryDocValuesField("bytes", new BytesRef(Long.toString(random.nextLong()))));
    document.add(
        new KnnFloatVectorField(
            "vector", new float[] {random.nextFloat(), random.nextFloat(), random.nextFloat()}));
    return document;
  }

  private static int found(SearcherManager searchers, String state) throws IOException {
    searchers.maybeRefreshBlocking();
    IndexSearcher searcher = searchers.acquire();
    try {
      return searcher.count(new TermQuery(new Term("state", state)));
    } finally {
      searchers.release(searcher);
    }
  }

  private static String attribute(FieldInfo field, String key) {
    return field.getAttribute(key);
  }

  private static List<String> classesOfTheLibrary() throws Exception {
    Set<String> packages =
        Arrays.stream(Ring.values())
            .filter(Ring::isForApplications)
            .map(Ring::fullName)
            .collect(Collectors.toSet());
    Path root = Path.of(Weir.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
          .map(file -> file.replace('/', '.').replaceFirst("[.]class$", ""))
          .filter(name -> packages.contains(name.substring(0, name.lastIndexOf('.'))))
          .toList();
    }
  }
}
