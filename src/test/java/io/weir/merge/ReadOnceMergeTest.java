package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SmallPageCache;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a disk reads for a merge whose input is several times as large as the page cache. */
@Timeout(120)
class ReadOnceMergeTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 19_000;
  private static final int NUMBERS = 10;

  /** Less than the stored fields of a segment. */
  private static final int CACHE_BYTES = 2 << 20;

  /** What the segments are like. */
  enum Shape {
    FILES(1.05),
    /** A block in which one file ends and another begins is read for each of them. */
    COMPOUND(1.1),
    /** The field that sorts is read before all else, too. */
    SORTED(1.07),
    /** As with soft deletes: a merge does not clone doc values that have updates. */
    UPDATED(1.05);

    /** The most that may be read, in units of the input. */
    private final double most;

    Shape(double most) {
      this.most = most;
    }
  }

  @ParameterizedTest
  @EnumSource
  void merge_ofFilesThatWereWrittenHere_readsThemFromTheDiskOnce(Shape shape) throws IOException {
    SmallPageCache disk = new SmallPageCache(new ByteBuffersDirectory(), CACHE_BYTES);
    ByteBudget budget = ByteBudget.unlimited();
    try (Directory directory = DirectoryPlan.recommended(budget).over(disk)) {
      build(directory, shape);
      Map<String, Long> inputBytes = lengths(directory);
      long bytes = sum(inputBytes);
      assertTrue(bytes > 8 * CACHE_BYTES, bytes + " bytes");
      disk.count(inputBytes.keySet());

      try (IndexWriter writer =
          new IndexWriter(
              directory, sorted(MergeLab.config(new RateLimitedMergeScheduler(budget)), shape))) {
        writer.forceMerge(1);
      }

      Map<String, Long> readBytes = disk.readBytes();
      double ratio = (double) sum(readBytes) / bytes;
      assertTrue(
          ratio >= 0.9 && ratio <= shape.most,
          ratio + " times its input: read " + byKind(readBytes) + " of " + byKind(inputBytes));
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> byKind(Map<String, Long> bytes) {
    Map<String, Long> kinds = new TreeMap<>();
    bytes.forEach((name, count) -> kinds.merge(kind(name), count, Long::sum));
    return kinds;
  }

  private static String kind(String name) {
    String extension = IndexFileNames.getExtension(name);
    return extension == null ? name : extension;
  }

  private static Map<String, Long> lengths(Directory directory) throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (String name : SegmentInfos.readLatestCommit(directory).files(false)) {
      lengths.put(name, directory.fileLength(name));
    }
    return lengths;
  }

  private static IndexWriterConfig sorted(IndexWriterConfig config, Shape shape) {
    return shape == Shape.SORTED
        ? config.setIndexSort(new Sort(new SortField("n0", SortField.Type.LONG)))
        : config;
  }

  private static void build(Directory directory, Shape shape) throws IOException {
    IndexWriterConfig config =
        sorted(new IndexWriterConfig(), shape)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(shape == Shape.COMPOUND)
            .setRAMBufferSizeMB(64);
    Random random = new Random(42);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < DOCUMENTS; i++) {
          writer.addDocument(document(random, segment * DOCUMENTS + i));
        }
        writer.flush();
      }
      if (shape == Shape.UPDATED) {
        writer.commit();
        for (int word = 0; word < 5; word++) {
          writer.updateNumericDocValue(new Term("body", Integer.toString(word, 36)), "updated", 1);
        }
      }
      writer.commit();
    }
  }

  private static Document document(Random random, int id) {
    Document document = new Document();
    byte[] source = new byte[150];
    random.nextBytes(source);
    document.add(new StoredField("source", source));
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      words.append(Integer.toString(random.nextInt(2000), 36)).append(' ');
    }
    document.add(new TextField("body", words.toString(), Field.Store.NO));
    for (int i = 0; i < NUMBERS; i++) {
      document.add(new NumericDocValuesField("n" + i, random.nextLong()));
    }
    document.add(new NumericDocValuesField("updated", id));
    document.add(new IntPoint("p", random.nextInt(), random.nextInt(), random.nextInt()));
    document.add(new IntPoint("q", random.nextInt()));
    if (id % 40 == 0) {
      float[] vector = new float[256];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = random.nextFloat();
      }
      document.add(new KnnFloatVectorField("v", vector));
    }
    return document;
  }
}
