package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.store.SmallFilesOptions;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One flipped bit in each file of every format, at several places: no merge through the facade
 * publishes a segment made of it, as none of plain Lucene does.
 */
@Timeout(120)
class DamagedInputTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 150;
  private static final int[] FEW_PLACES = {3, 50, 99};
  private static final int[] MANY_PLACES = {3, 11, 19, 27, 35, 43, 51, 59, 67, 75, 83, 91, 99};

  /** Files that a merge verifies when it copies them. */
  private static final List<String> COPIED = List.of("_1.fdt", "_1.tvd");

  @TempDir Path temp;

  /** What the segments are like. */
  enum Shape {
    FILES,
    COMPOUND,
    /** They are not copied in order, and the damaged one has deleted documents. */
    SORTED;

    /** Where in a file a bit is flipped, in percent of its length. */
    private int[] places(String name) {
      return switch (this) {
        case FILES -> FEW_PLACES;
        case COMPOUND -> name.endsWith(".cfs") ? MANY_PLACES : FEW_PLACES;
        case SORTED -> COPIED.contains(name) ? FEW_PLACES : new int[0];
      };
    }

    private IndexWriterConfig with(IndexWriterConfig config) {
      return this == SORTED
          ? config.setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)))
          : config;
    }

    private int documents() {
      return SEGMENTS * DOCUMENTS - (this == SORTED ? DOCUMENTS / 3 : 0);
    }
  }

  /** How a damaged index was met. */
  private enum Outcome {
    NOT_OPENED,
    MERGE_FAILED,
    MERGED
  }

  @ParameterizedTest
  @EnumSource
  void merge_ofAFlippedBit_publishesNothing_asInPlainLucene(Shape shape) throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, shape);
    TreeMap<String, Outcome> stock = new TreeMap<>();
    TreeMap<String, Outcome> weir = new TreeMap<>();
    Set<String> extensions = new HashSet<>();
    for (String name : segmentFiles(whole)) {
      extensions.add(IndexFileNames.getExtension(name));
      for (int place : shape.places(name)) {
        String damage = String.format(Locale.ROOT, "%s at %d %%", name, place);
        stock.put(damage, merge(damaged(whole, name, place), shape, false));
        weir.put(damage, merge(damaged(whole, name, place), shape, true));
      }
    }
    assertTrue(
        extensions.containsAll(
            shape == Shape.COMPOUND
                ? List.of("cfs", "cfe", "si")
                : List.of("fdt", "tvd", "tim", "doc", "pos", "dvd", "nvd", "kdd", "vec", "si")),
        extensions::toString);
    assertFalse(stock.containsValue(Outcome.MERGED), stock::toString);
    assertEquals(stock, weir);
  }

  @ParameterizedTest
  @EnumSource
  void merge_ofWholeFiles_isThatOfPlainLucene(Shape shape) throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, shape);
    assertEquals(Outcome.MERGED, merge(whole, shape, true));
    try (Directory directory = new MMapDirectory(whole)) {
      MergeLab.check(directory, shape.documents());
    }
  }

  /** An application may do so in {@code OneMerge.wrapForMerge}, or when it warms a segment. */
  @ParameterizedTest
  @ValueSource(strings = {"_1.fdt", "_1.tvd"})
  void checkIntegrity_onAThreadThatMerges_findsAFlippedBitAtOnce(String name) throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, Shape.FILES);
    Weir weir = Weir.builder().open(damaged(whole, name, 50));
    try (Directory directory = weir.directory();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      MergeReadPacing.begin(() -> {}, segment -> 1);
      try {
        assertThrows(
            CorruptIndexException.class, () -> reader.leaves().get(1).reader().checkIntegrity());
      } finally {
        MergeReadPacing.end();
      }
    }
  }

  private static void build(Path path, Shape shape) throws IOException {
    IndexWriterConfig config =
        shape
            .with(new IndexWriterConfig())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(shape == Shape.COMPOUND);
    Random random = new Random(42);
    try (Directory directory = new MMapDirectory(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = MergeLab.document(segment * DOCUMENTS + i);
          MergeLab.source(document, random);
          MergeLab.text(document, random);
          MergeLab.vectorsAndValues(document, random, 200, 5000);
          document.add(new IntPoint("point", random.nextInt()));
          document.add(
              new KnnFloatVectorField("knn", new float[] {random.nextFloat(), random.nextFloat()}));
          writer.addDocument(document);
        }
        writer.flush();
      }
      if (shape == Shape.SORTED) {
        for (int i = DOCUMENTS; i < 2 * DOCUMENTS; i += 3) {
          writer.deleteDocuments(new Term("id", Integer.toString(i)));
        }
      }
      writer.commit();
    }
    if (shape != Shape.COMPOUND) {
      for (String copied : COPIED) { // else they would be read into memory
        assertTrue(
            Files.size(path.resolve(copied)) > SmallFilesOptions.DEFAULT.maxFileBytes(), copied);
      }
    }
  }

  private static List<String> segmentFiles(Path index) throws IOException {
    try (Directory directory = new MMapDirectory(index)) {
      String segment = SegmentInfos.readLatestCommit(directory).info(1).info.name;
      return Stream.of(directory.listAll())
          .filter(name -> segment.equals(IndexFileNames.parseSegmentName(name)))
          .sorted()
          .toList();
    }
  }

  private Path damaged(Path whole, String name, int place) throws IOException {
    Path copy = Files.createTempDirectory(temp, "damaged");
    try (Stream<Path> files = Files.list(whole)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(file.getFileName());
        if (file.endsWith(name)) {
          Files.copy(file, to);
        } else if (!file.endsWith(IndexWriter.WRITE_LOCK_NAME)) {
          Files.createLink(to, file);
        }
      }
    }
    try (RandomAccessFile file = new RandomAccessFile(copy.resolve(name).toFile(), "rw")) {
      long position = file.length() * place / 100;
      file.seek(position);
      int before = file.read();
      file.seek(position);
      file.write(before ^ 4);
    }
    return copy;
  }

  private static Outcome merge(Path index, Shape shape, boolean byWeir) throws IOException {
    Weir weir = Weir.builder().open(index);
    try (Directory directory = byWeir ? weir.directory() : new MMapDirectory(index)) {
      IndexWriterConfig config =
          shape.with(MergeLab.config(byWeir ? weir.scheduler() : MergeLab.failingScheduler()));
      if (byWeir) {
        weir.configure(config);
      }
      IndexWriter writer;
      try {
        writer = new IndexWriter(directory, config);
      } catch (IOException | IllegalArgumentException e) {
        return Outcome.NOT_OPENED;
      }
      try {
        writer.forceMerge(1);
        writer.close();
        return Outcome.MERGED;
      } catch (IOException | RuntimeException e) {
        writer.rollback();
        assertEquals(SEGMENTS, MergeLab.segments(directory), e::toString);
        return Outcome.MERGE_FAILED;
      }
    }
  }
}
