package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
 * floats of all documents that are not deleted. An engine hands these floats over too, so the exact
 * search is the same here, whatever has found the neighbours.
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

  /**
   * An index whose documents have vectors.
   *
   * @param <D> what it calls a document
   */
  public interface Neighbours<D> {

    /** What a search finds: at most {@link SearchQuery#NEIGHBOURS} documents. */
    List<D> nearest(float[] vector) throws IOException, InterruptedException;

    /** Hands over all documents that have a vector and are not deleted, each once. */
    void forEachVector(VectorConsumer<D> consumer) throws IOException, InterruptedException;
  }

  /** Takes one document after the other. */
  public interface VectorConsumer<D> {

    /**
     * One of them.
     *
     * @return whether to go on
     */
    boolean take(D document, float[] vector);
  }

  private VectorRecall() {}

  /**
   * The recall over a sample of queries in an index of Lucene's, by the words of each.
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
      throws IOException, InterruptedException {
    return of(new OfLucene(reader), sample(queries, vectors, seed), stopped);
  }

  /**
   * The recall over a sample.
   *
   * @param sample the vectors to search for
   * @param stopped whether to end early, with nothing
   * @return nothing without a sample, or when no document has a vector
   */
  public static <D> Values of(Neighbours<D> index, List<float[]> sample, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    List<Asked> all = new ArrayList<>();
    Map<D, List<Asked>> finders = new HashMap<>();
    for (float[] vector : sample) {
      if (stopped.getAsBoolean()) {
        return Values.NONE;
      }
      Asked asked = new Asked(vector);
      all.add(asked);
      for (D hit : index.nearest(vector)) {
        finders.computeIfAbsent(hit, document -> new ArrayList<>()).add(asked);
      }
    }
    if (all.isEmpty()) {
      return Values.NONE;
    }
    long[] documents = {0};
    index.forEachVector(
        (document, vector) -> {
          documents[0]++;
          all.forEach(asked -> asked.compare(VectorUtil.dotProduct(asked.vector, vector)));
          for (Asked finder : finders.getOrDefault(document, List.of())) {
            finder.found.add(VectorUtil.dotProduct(finder.vector, vector));
          }
          return !stopped.getAsBoolean();
        });
    return stopped.getAsBoolean() || documents[0] == 0
        ? Values.NONE
        : Values.builder()
            .put(ArmFigures.RECALL, all.stream().mapToDouble(Asked::recall).average().orElseThrow())
            .put(ArmFigures.VECTORS, documents[0])
            .build();
  }

  /** The vectors of {@value #QUERIES} queries, or of all if they are fewer. */
  public static List<float[]> sample(
      List<SearchQuery> queries, DocumentVectors vectors, long seed) {
    List<SearchQuery> shuffled = new ArrayList<>(queries.stream().distinct().toList());
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled.stream().limit(QUERIES).map(query -> vectors.ofQuery(query.terms())).toList();
  }

  /** An index that this JVM reads; documents have the numbers of the reader. */
  private record OfLucene(IndexReader reader) implements Neighbours<Integer> {

    @Override
    public List<Integer> nearest(float[] vector) throws IOException {
      ScoreDoc[] hits =
          new IndexSearcher(reader)
              .search(
                  new KnnFloatVectorQuery(IndexSchema.VECTOR, vector, SearchQuery.NEIGHBOURS),
                  SearchQuery.NEIGHBOURS)
              .scoreDocs;
      return Arrays.stream(hits).map(hit -> hit.doc).toList();
    }

    @Override
    public void forEachVector(VectorConsumer<Integer> consumer) throws IOException {
      boolean goOn = true;
      for (LeafReaderContext leaf : reader.leaves()) {
        goOn = goOn && forEachVector(leaf, consumer);
      }
    }

    private static boolean forEachVector(LeafReaderContext leaf, VectorConsumer<Integer> consumer)
        throws IOException {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(IndexSchema.VECTOR);
      if (values == null) {
        return true;
      }
      Bits live = leaf.reader().getLiveDocs();
      KnnVectorValues.DocIndexIterator documents = values.iterator();
      for (int doc = documents.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = documents.nextDoc()) {
        if ((live == null || live.get(doc))
            && !consumer.take(leaf.docBase + doc, values.vectorValue(documents.index()))) {
          return false;
        }
      }
      return true;
    }
  }
}
