package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.VectorUtil;

/**
 * How many of the nearest neighbours a search finds: it walks a graph and perhaps compares smaller
 * forms of vectors, so it misses some. What it finds is compared with an exact search over the
 * floats of all documents that are not deleted.
 *
 * <p>Of several documents that are equally near, each counts as the last one: documents with the
 * same text are.
 *
 * <p><b>Threads:</b> one.
 */
public final class VectorRecall {

  /** Enough that the mean over queries is known to about 0.03. */
  static final int QUERIES = 50;

  /** One query, and what is known of its neighbours. */
  private static final class Asked {

    private final float[] vector;
    private final float[] nearest = new float[SearchQuery.NEIGHBOURS]; // the nearest first
    private final List<Float> found = new ArrayList<>();
    private int known;

    Asked(float[] vector) {
      this.vector = vector;
    }

    void compare(float similarity) {
      int at = known;
      while (at > 0 && similarity > nearest[at - 1]) {
        at--;
      }
      if (at < nearest.length) {
        known = Math.min(known + 1, nearest.length);
        System.arraycopy(nearest, at, nearest, at + 1, known - at - 1);
        nearest[at] = similarity;
      }
    }

    double recall() {
      long right = found.stream().filter(similarity -> similarity >= nearest[known - 1]).count();
      return (double) right / known;
    }
  }

  private VectorRecall() {}

  /**
   * The recall over a sample of queries, by the words of each.
   *
   * @param seed of the sample
   * @param stopped whether to end early, with nothing
   * @return nothing without queries, or when no document has a vector
   */
  public static Values of(
      IndexReader reader,
      DocumentVectors vectors,
      List<SearchQuery> queries,
      long seed,
      BooleanSupplier stopped)
      throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    List<Asked> sample = new ArrayList<>();
    Map<Integer, List<Asked>> finders = new HashMap<>();
    for (float[] vector : sample(queries, vectors, seed)) {
      Asked asked = new Asked(vector);
      sample.add(asked);
      for (ScoreDoc hit : search(searcher, asked.vector)) {
        finders.computeIfAbsent(hit.doc, doc -> new ArrayList<>()).add(asked);
      }
    }
    long documents = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      documents += compare(leaf, sample, finders, stopped);
    }
    return stopped.getAsBoolean() || documents == 0 || sample.isEmpty()
        ? Values.NONE
        : Values.builder()
            .put(
                ArmFigures.RECALL,
                sample.stream().mapToDouble(Asked::recall).average().orElseThrow())
            .put(ArmFigures.VECTORS, documents)
            .build();
  }

  /** The vectors of {@value #QUERIES} queries, or of all if they are fewer. */
  public static List<float[]> sample(
      List<SearchQuery> queries, DocumentVectors vectors, long seed) {
    List<SearchQuery> shuffled = new ArrayList<>(queries.stream().distinct().toList());
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled.stream().limit(QUERIES).map(query -> vectors.ofQuery(query.terms())).toList();
  }

  private static ScoreDoc[] search(IndexSearcher searcher, float[] vector) throws IOException {
    return searcher.search(
            new KnnFloatVectorQuery(IndexSchema.VECTOR, vector, SearchQuery.NEIGHBOURS),
            SearchQuery.NEIGHBOURS)
        .scoreDocs;
  }

  /** Compares all documents of a segment with each query, and returns how many there were. */
  private static long compare(
      LeafReaderContext leaf,
      List<Asked> sample,
      Map<Integer, List<Asked>> finders,
      BooleanSupplier stopped)
      throws IOException {
    FloatVectorValues values = leaf.reader().getFloatVectorValues(IndexSchema.VECTOR);
    if (values == null) {
      return 0;
    }
    Bits live = leaf.reader().getLiveDocs();
    KnnVectorValues.DocIndexIterator documents = values.iterator();
    long compared = 0;
    for (int doc = documents.nextDoc();
        doc != DocIdSetIterator.NO_MORE_DOCS && !stopped.getAsBoolean();
        doc = documents.nextDoc()) {
      if (live == null || live.get(doc)) {
        compared++;
        float[] vector = values.vectorValue(documents.index());
        sample.forEach(asked -> asked.compare(VectorUtil.dotProduct(asked.vector, vector)));
        for (Asked finder : finders.getOrDefault(leaf.docBase + doc, List.of())) {
          finder.found.add(VectorUtil.dotProduct(finder.vector, vector));
        }
      }
    }
    return compared;
  }
}
