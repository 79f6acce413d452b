package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.CorpusDocument;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.StoredCodec;
import io.weir.stress.setting.VectorFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class VectorRecallTest {

  private static final int DIMS = 32;
  private static final int DOCUMENTS = 3000;

  private final List<SearchQuery> queries = new ArrayList<>();
  private final DocumentVectors vectors;

  VectorRecallTest() throws Exception {
    vectors = DocumentVectors.of(new Documents("synthetic:9", 1, 0).withVectors("" + DIMS));
    for (int i = 0; i < 200; i++) {
      queries.add(SearchQuery.term("telling" + i));
    }
  }

  /** A segment of fewer vectors than a graph has is searched one by one, which misses nothing. */
  @Test
  void of_aSmallSegment_isAll() throws Exception {
    try (Directory directory = directory(VectorFormat.FLOAT, 90)) {
      Values recall = of(directory);

      assertEquals(1, recall.require(ArmFigures.RECALL));
      assertEquals(90, recall.require(ArmFigures.VECTORS));
    }
  }

  @Test
  void of_fewerDocumentsThanNeighbours_isAll() throws Exception {
    try (Directory directory = directory(VectorFormat.FLOAT, 7)) {
      assertEquals(1, of(directory).require(ArmFigures.RECALL));
    }
  }

  /** One bit for each number of random vectors tells little. */
  @Test
  void of_quantisedVectors_isLessThanOfFloats() throws Exception {
    try (Directory floats = directory(VectorFormat.FLOAT, DOCUMENTS);
        Directory bytes = directory(VectorFormat.INT8, DOCUMENTS);
        Directory bits = directory(VectorFormat.BINARY, DOCUMENTS)) {
      double ofFloats = of(floats).require(ArmFigures.RECALL);
      double ofBytes = of(bytes).require(ArmFigures.RECALL);
      double ofBits = of(bits).require(ArmFigures.RECALL);

      assertTrue(ofFloats > 0.6 && ofFloats < 1, ofFloats + " of floats");
      assertTrue(ofBytes > 0.6, ofBytes + " of bytes");
      assertTrue(ofBits > 0.1 && ofBits < ofFloats - 0.2, ofBits + " of bits, " + ofFloats);
    }
  }

  /** Documents of one text are equally near: it does not matter which of them is found. */
  @Test
  void of_equalVectors_countEachAsRight() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(directory, VectorFormat.FLOAT)) {
        float[] one = vectors.ofQuery(List.of("one"));
        for (int i = 0; i < 500; i++) {
          add(writer, i, one);
        }
      }
      assertEquals(1, of(directory).require(ArmFigures.RECALL));
    }
  }

  @Test
  void of_deletedDocuments_leavesThemOut() throws Exception {
    try (Directory directory = directory(VectorFormat.FLOAT, 90)) {
      try (IndexWriter writer = writer(directory, VectorFormat.FLOAT)) {
        for (int i = 0; i < 40; i++) {
          writer.deleteDocuments(IndexSchema.keyTerm("k" + i));
        }
      }
      Values recall = of(directory);

      assertEquals(50, recall.require(ArmFigures.VECTORS));
      assertEquals(1, recall.require(ArmFigures.RECALL));
    }
  }

  @Test
  void of_nothingToCompare_isNothing() throws Exception {
    try (Directory directory = directory(VectorFormat.FLOAT, 90);
        DirectoryReader reader = DirectoryReader.open(directory);
        Directory without = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(without, VectorFormat.FLOAT)) {
        writer.addDocument(
            IndexSchema.document("k", new CorpusDocument("", "a", 0), Optional.empty()));
      }
      assertEquals(Values.NONE, VectorRecall.of(reader, vectors, List.of(), 1, () -> false));
      assertEquals(Values.NONE, VectorRecall.of(reader, vectors, queries, 1, () -> true));
      assertEquals(Values.NONE, of(without));
    }
  }

  private Values of(Directory directory) throws Exception {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      Values recall = VectorRecall.of(reader, vectors, queries, 1, () -> false);
      assertEquals(recall, VectorRecall.of(reader, vectors, queries, 1, () -> false));
      return recall;
    }
  }

  /** Of random vectors, which are the hardest. */
  private static Directory directory(VectorFormat format, int documents) throws Exception {
    Directory directory = new ByteBuffersDirectory();
    Random random = new Random(1);
    try (IndexWriter writer = writer(directory, format)) {
      for (int i = 0; i < documents; i++) {
        float[] vector = new float[DIMS];
        double squares = 0;
        for (int j = 0; j < DIMS; j++) {
          vector[j] = (float) random.nextGaussian();
          squares += vector[j] * vector[j];
        }
        for (int j = 0; j < DIMS; j++) {
          vector[j] /= (float) Math.sqrt(squares);
        }
        add(writer, i, vector);
      }
      writer.forceMerge(1);
    }
    return directory;
  }

  private static void add(IndexWriter writer, int key, float[] vector) throws Exception {
    writer.addDocument(
        IndexSchema.document("k" + key, new CorpusDocument("", "", 0), Optional.of(vector)));
  }

  private static IndexWriter writer(Directory directory, VectorFormat format) throws Exception {
    return new IndexWriter(
        directory,
        new IndexWriterConfig().setCodec(IndexSchema.codec(StoredCodec.DEFAULT, format)));
  }
}
