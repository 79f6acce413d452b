package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.rate.ByteBudget;
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
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One flipped bit in each file of every format, at several places: no merge through the facade
 * publishes a segment made of it, as none of plain Lucene does.
 */
@Timeout(120)
class DamagedInputTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 150;

  /** Where in a file, in percent of its length. */
  private static final int[] PLACES = {3, 50, 99};

  @TempDir Path temp;

  /** How a damaged index was met. */
  private enum Outcome {
    NOT_OPENED,
    MERGE_FAILED,
    MERGED
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_ofAFlippedBit_publishesNothing_asInPlainLucene(boolean compound) throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, compound);
    TreeMap<String, Outcome> stock = new TreeMap<>();
    TreeMap<String, Outcome> weir = new TreeMap<>();
    Set<String> extensions = new HashSet<>();
    for (String name : segmentFiles(whole)) {
      extensions.add(IndexFileNames.getExtension(name));
      for (int place : PLACES) {
        String damage = String.format(Locale.ROOT, "%s at %d %%", name, place);
        stock.put(damage, merge(damaged(whole, name, place), false));
        weir.put(damage, merge(damaged(whole, name, place), true));
      }
    }
    assertTrue(
        extensions.containsAll(
            compound
                ? List.of("cfs", "cfe", "si")
                : List.of("fdt", "tvd", "tim", "doc", "pos", "dvd", "nvd", "kdd", "vec", "si")),
        extensions::toString);
    assertFalse(stock.containsValue(Outcome.MERGED), stock::toString);
    assertEquals(stock, weir);
  }

  @Test
  void merge_ofWholeFiles_isThatOfPlainLucene() throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, false);
    assertEquals(Outcome.MERGED, merge(whole, true));
    try (Directory directory = new MMapDirectory(whole)) {
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
    }
  }

  private static void build(Path path, boolean compound) throws IOException {
    FieldType vectors = new FieldType(TextField.TYPE_STORED);
    vectors.setStoreTermVectors(true);
    vectors.setStoreTermVectorPositions(true);
    vectors.freeze();
    try (Directory directory = new MMapDirectory(path)) {
      MergeLab.build(
          directory,
          SEGMENTS,
          DOCUMENTS,
          (document, random) -> {
            MergeLab.source(document, random);
            MergeLab.text(document, random);
            others(document, random, vectors);
          },
          compound);
    }
  }

  private static void others(Document document, Random random, FieldType vectors) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      words.append(Integer.toString(random.nextInt(5000), 36)).append(' ');
    }
    byte[] bytes = new byte[30];
    random.nextBytes(bytes);
    document.add(new Field("vectors", words.toString(), vectors));
    document.add(new NumericDocValuesField("number", random.nextLong()));
    document.add(new BinaryDocValuesField("binary", new BytesRef(bytes)));
    document.add(new SortedSetDocValuesField("set", new BytesRef(bytes)));
    document.add(new IntPoint("point", random.nextInt()));
    document.add(
        new KnnFloatVectorField("knn", new float[] {random.nextFloat(), random.nextFloat()}));
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

  private static MergeScheduler scheduler() {
    return new ConcurrentMergeScheduler() {
      @Override
      protected void handleMergeException(Throwable failure) {} // forceMerge throws it
    };
  }

  private static Outcome merge(Path index, boolean byWeir) throws IOException {
    Weir weir = new Weir(ByteBudget.unlimited());
    try (Directory directory = byWeir ? weir.directory(index) : new MMapDirectory(index)) {
      IndexWriterConfig config = MergeLab.config(byWeir ? weir.scheduler() : scheduler());
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
