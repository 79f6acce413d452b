package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.merge.MergeLab;
import io.weir.suite.ChildJvm;
import io.weir.suite.LinkedIndex;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two forced merges of vectors at once, in a JVM whose heap has room for one of their graphs: each
 * takes 14 MB, and all else some 9 MB. Weir's arm also passes with 25 MB, and stock's also fails
 * with 32 MB.
 */
@Slow("starts JVMs with small heaps")
@Timeout(300)
class GraphHeapTest {

  private static final String HEAP = "-Xmx28m";
  private static final int SEGMENTS = 8;
  private static final int DOCUMENTS = 50_000;
  private static final int INDEXES = 2;

  @TempDir static Path shared;

  @TempDir Path temp;

  private final List<Path> indexes = new ArrayList<>();

  @BeforeAll
  static void build() throws IOException {
    try (Directory directory = FSDirectory.open(shared)) {
      Random random = new Random(42);
      IndexWriterConfig config = GraphHeapIndexes.config().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          document.add(new KnnFloatVectorField("vector", vector(random)));
          writer.addDocument(document);
          if (i % (DOCUMENTS / SEGMENTS) == 0) {
            writer.flush();
          }
        }
        writer.commit();
      }
    }
  }

  private static float[] vector(Random random) {
    float[] vector = new float[4];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  @BeforeEach
  void copy() throws IOException {
    for (int i = 0; i < INDEXES; i++) {
      indexes.add(LinkedIndex.copy(shared, temp.resolve("index" + i)));
    }
  }

  @Test
  void stock_bothAtOnce_runsOutOfMemory() throws Exception {
    assertEquals("failed", lastLine(run("stock")));
  }

  @Test
  void weir_bothAtOnce_mergesOneAfterTheOther() throws Exception {
    assertEquals("done", lastLine(run("weir")));
    for (Path index : indexes) {
      try (Directory directory = FSDirectory.open(index)) {
        assertEquals(1, MergeLab.segments(directory));
        MergeLab.check(directory, DOCUMENTS);
      }
    }
  }

  private static String lastLine(String text) {
    return text.lines().reduce("", (before, line) -> line);
  }

  private String run(String mode) throws Exception {
    return ChildJvm.run(
        List.of(HEAP, "-Xmn4m", "-XX:+UseSerialGC"), // all but 4 MB is for what lives
        GraphHeapIndexes.class,
        Stream.concat(Stream.of(mode), indexes.stream().map(Path::toString)).toList());
  }
}
