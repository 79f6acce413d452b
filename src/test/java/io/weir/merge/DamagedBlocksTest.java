package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lucene.SegmentFiles;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.SmallFilesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * As {@link DamagedInputTest}, where the merging process has written the files itself, so that it
 * knows the checksums of their blocks: a bit is flipped after that, or the file is replaced by
 * another one that is intact.
 */
@Timeout(180)
class DamagedBlocksTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 500;

  private static final int[] FEW_PLACES = {3, 50, 99};

  private static final int[] MANY_PLACES = {3, 12, 21, 30, 39, 48, 57, 66, 75, 84, 93};

  /** A shorter file is verified as in Lucene. */
  private static final long LEAST_BYTES = 16 << 10;

  @TempDir Path temp;

  /** What the damaged segment is like. */
  enum Shape {
    FILES,
    COMPOUND,
    /** Every other document is deleted. */
    DELETED
  }

  /** What happened to a file after it was written. */
  private enum Fate {
    DAMAGED,
    /** By one with another byte, and the checksum that belongs to it. */
    REPLACED;

    /** Where in a file, in percent of its length; the files inside a compound file stay damaged. */
    private int[] places(String name) {
      boolean compound = SegmentFiles.isCompoundData(name);
      return switch (this) {
        case DAMAGED -> compound ? MANY_PLACES : FEW_PLACES;
        case REPLACED -> compound ? new int[0] : new int[] {50};
      };
    }
  }

  /** How a merge of it ended. */
  private enum Outcome {
    NOT_OPENED,
    CORRUPT,
    FAILED,
    MERGED
  }

  @ParameterizedTest
  @EnumSource
  void merge_ofWhatHasChangedSinceItWasWritten_endsAsInPlainLucene(Shape shape) throws IOException {
    Path whole = temp.resolve("whole");
    build(whole, shape);
    Map<Fate, Map<String, Outcome>> stock = new EnumMap<>(Fate.class);
    Map<Fate, Map<String, Outcome>> weir = new EnumMap<>(Fate.class);
    Set<String> kinds = new TreeSet<>();
    for (String name : files(whole)) {
      kinds.add(IndexFileNames.getExtension(name));
      for (Fate fate : Fate.values()) {
        for (int place : shape == Shape.DELETED ? new int[] {50} : fate.places(name)) {
          byte[] changed = changed(Files.readAllBytes(whole.resolve(name)), place, fate);
          String damage = name + " at " + place + " %";
          stock
              .computeIfAbsent(fate, f -> new TreeMap<>())
              .put(damage, stock(whole, name, changed));
          weir.computeIfAbsent(fate, f -> new TreeMap<>()).put(damage, weir(whole, name, changed));
        }
      }
    }
    assertEquals(
        shape == Shape.COMPOUND
            ? Set.of("cfs")
            : Set.of("fdt", "tvd", "doc", "pos", "dvd", "kdd", "vec", "veq", "vex"),
        kinds);
    assertEquals(stock, weir);
    assertFalse(weir.get(Fate.DAMAGED).containsValue(Outcome.MERGED), weir::toString);
    assertTrue(
        shape == Shape.COMPOUND || weir.get(Fate.REPLACED).containsValue(Outcome.MERGED),
        weir::toString);
  }

  /** Graphs in small segments too, and quantized vectors. */
  private static final class Vectors extends Lucene104Codec {

    private final KnnVectorsFormat quantized = new Lucene104HnswScalarQuantizedVectorsFormat();
    private final KnnVectorsFormat graphs = new Lucene99HnswVectorsFormat(48, 50, 0);

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
      return field.equals("quantized") ? quantized : graphs;
    }
  }

  private static void build(Path path, Shape shape) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new Vectors())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(shape == Shape.COMPOUND);
    Random random = new Random(42);
    try (Directory directory = new MMapDirectory(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = MergeLab.document(segment * DOCUMENTS + i);
          MergeLab.source(document, random);
          MergeLab.vectorsAndValues(document, random, 100, 2000);
          pointsAndVectors(document, random);
          writer.addDocument(document);
        }
        writer.flush();
      }
      if (shape == Shape.DELETED) {
        for (int i = DOCUMENTS; i < 2 * DOCUMENTS; i += 2) {
          writer.deleteDocuments(new Term("id", Integer.toString(i)));
        }
      }
      writer.commit();
    }
  }

  private static void pointsAndVectors(Document document, Random random) {
    for (int i = 0; i < 3; i++) {
      document.add(new IntPoint("p" + i, random.nextInt(), random.nextInt(), random.nextInt()));
    }
    float[] vector = new float[32];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = random.nextFloat();
    }
    for (int i = 0; i < 5; i++) {
      document.add(new KnnFloatVectorField("knn" + i, Arrays.copyOfRange(vector, i, i + 4)));
    }
    document.add(new KnnFloatVectorField("quantized", vector));
  }

  /** Of the second segment, those of which a merge knows the blocks. */
  private static List<String> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files
          .filter(file -> file.toFile().length() >= LEAST_BYTES)
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("_1"))
          .filter(
              name -> SegmentFiles.isVerifiedAsMerged(name) || SegmentFiles.isCompoundData(name))
          .sorted()
          .toList();
    }
  }

  private static byte[] changed(byte[] bytes, int place, Fate fate) {
    bytes[(int) ((long) bytes.length * place / 100)] ^= 4;
    if (fate == Fate.REPLACED) {
      int end = bytes.length - Long.BYTES;
      CRC32 checksum = new CRC32();
      checksum.update(bytes, 0, end);
      for (int i = 0; i < Long.BYTES; i++) { // the highest byte first
        bytes[end + i] = (byte) (checksum.getValue() >> Byte.SIZE * (Long.BYTES - 1 - i));
      }
      assertEquals(16, CodecUtil.footerLength());
    }
    return bytes;
  }

  private Outcome stock(Path whole, String name, byte[] changed) throws IOException {
    Path copy = copyWithout(whole, name);
    Files.write(copy.resolve(name), changed);
    try (Directory directory = new MMapDirectory(copy)) {
      return merge(directory, MergeLab.failingScheduler());
    }
  }

  /** The file is written by the directory that merges it, and changes afterwards. */
  private Outcome weir(Path whole, String name, byte[] changed) throws IOException {
    Path copy = copyWithout(whole, name);
    ByteBudget budget = ByteBudget.unlimited();
    DirectoryPlan plan = DirectoryPlan.recommended(budget).withSmallFiles(SmallFilesOptions.OFF);
    try (Directory directory = plan.over(new MMapDirectory(copy))) {
      try (Directory from = new MMapDirectory(whole);
          IndexInput input = from.openInput(name, IOContext.READONCE);
          IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
        output.copyBytes(input, input.length());
      }
      Files.write(copy.resolve(name), changed);
      return merge(directory, new RateLimitedMergeScheduler(budget));
    }
  }

  private Path copyWithout(Path whole, String name) throws IOException {
    Path copy = Files.createTempDirectory(temp, "copy");
    try (Stream<Path> files = Files.list(whole)) {
      for (Path file : files.toList()) {
        if (!file.endsWith(name) && !file.endsWith(IndexWriter.WRITE_LOCK_NAME)) {
          Files.createLink(copy.resolve(file.getFileName()), file);
        }
      }
    }
    return copy;
  }

  private static Outcome merge(Directory directory, MergeScheduler scheduler) throws IOException {
    IndexWriter writer;
    try {
      writer = new IndexWriter(directory, MergeLab.config(scheduler).setCodec(new Vectors()));
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
      return isCorrupt(e) ? Outcome.CORRUPT : Outcome.FAILED;
    }
  }

  private static boolean isCorrupt(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof CorruptIndexException) {
        return true;
      }
    }
    return false;
  }
}
