package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.codecs.hnsw.DefaultFlatVectorScorer;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.hnsw.HnswGraphBuilder;
import org.apache.lucene.util.hnsw.OnHeapHnswGraph;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VectorGraphsTest {

  private static final int VECTORS = 4000;

  /** Vectors of one kind. */
  private record Kind(String name, int dimension, int clusters) {

    List<float[]> vectors() {
      Random random = new Random(42);
      Supplier<float[]> gaussian =
          () -> {
            float[] vector = new float[dimension];
            for (int i = 0; i < dimension; i++) {
              vector[i] = (float) random.nextGaussian();
            }
            return vector;
          };
      List<float[]> centers = Stream.generate(gaussian).limit(Math.max(1, clusters)).toList();
      List<float[]> vectors = new ArrayList<>();
      for (int i = 0; i < VECTORS; i++) {
        float[] vector = gaussian.get();
        if (clusters > 0) {
          float[] center = centers.get(random.nextInt(clusters));
          for (int d = 0; d < dimension; d++) {
            vector[d] = center[d] + vector[d] / 8;
          }
        }
        vectors.add(vector);
      }
      return vectors;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(new Kind("a few dimensions", 4, 0)),
        Arguments.of(new Kind("many dimensions", 64, 0)),
        Arguments.of(new Kind("clusters", 32, 50)));
  }

  /** The measure is Lucene's own figure of a graph that it has built. */
  @ParameterizedTest
  @MethodSource("kinds")
  void heapBytes_isNearWhatAGraphTakes(Kind kind) throws IOException {
    OnHeapHnswGraph graph =
        HnswGraphBuilder.create(
                DefaultFlatVectorScorer.INSTANCE.getRandomVectorScorerSupplier(
                    VectorSimilarityFunction.EUCLIDEAN,
                    FloatVectorValues.fromFloats(kind.vectors(), kind.dimension())),
                Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
                Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
                42,
                VECTORS)
            .build(VECTORS);

    double predicted = (double) VectorGraphs.heapBytes(VECTORS) / graph.ramBytesUsed();

    assertTrue(
        predicted >= 0.8 && predicted <= 1.5,
        predicted + " of " + graph.ramBytesUsed() + " bytes for " + VECTORS + " vectors");
  }
}
