package io.weir.lucene;

import java.lang.invoke.MethodHandle;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.RamUsageEstimator;
import org.apache.lucene.util.hnsw.NeighborArray;

/**
 * Predicts the heap that Lucene takes to build the graph of a field with vectors in a merge.
 *
 * <p>Lucene builds the graphs of a merge one after the other, each as a whole and on the heap, and
 * writes it when it is complete. So the largest one counts. It has a node for each vector; the
 * vectors themselves are read from the file that the merge has written. A merge does not show how
 * many documents have a vector: each is taken to have one.
 *
 * <p>A node on the lowest level is taken to have half of the neighbours that it may have. Real ones
 * have a third (clusters, or a few dimensions) to two thirds (many dimensions). Other than default
 * numbers of connections are unknown here.
 *
 * <p><b>Units:</b> bytes. <b>Threads:</b> any.
 *
 * <p>Source: Lucene 10.5.1, {@code OnHeapHnswGraph}, {@code NeighborArray}, {@code
 * HnswGraphBuilder} (one of {@link #CONNECTIONS} nodes is on the next level too), {@code
 * KnnVectorsWriter.merge} and {@code Lucene99HnswVectorsWriter.mergeOneField} (one graph after the
 * other).
 */
public final class VectorGraphs {

  /** Of a node on upper levels, by default; on the lowest level at most twice as many. */
  private static final int CONNECTIONS = 16;

  /** The arrays of a node grow by an eighth. */
  private static final int CAPACITY = CONNECTIONS + CONNECTIONS / 8;

  private static final MethodHandle DOCUMENTS =
      Link.property(MergeInfo.class, "totalMaxDoc", int.class);

  private VectorGraphs() {}

  /** For the largest graph of a merge. */
  public static long heapBytes(OneMerge merge) {
    if (merge.segments.isEmpty()) { // of readers
      return heapBytes(documents(merge));
    }
    long documents = 0;
    for (SegmentCommitInfo segment : merge.segments) {
      documents += segment.info.maxDoc() - segment.getDelCount();
    }
    return heapBytes(documents);
  }

  private static int documents(OneMerge merge) {
    try {
      return (int) DOCUMENTS.invokeExact(merge.getStoreMergeInfo());
    } catch (Throwable e) {
      throw Link.<RuntimeException>thrown(e);
    }
  }

  /** For a graph of so many vectors. */
  static long heapBytes(long vectors) {
    return vectors * Node.BYTES;
  }

  /** What a vector takes, with its share of the upper levels. Looked up at first use. */
  private static final class Node {

    static final long BYTES =
        (ofLevel() + ofTable()) * CONNECTIONS / (CONNECTIONS - 1); // 1 + 1/16 + 1/256 + ...

    /** The neighbours, their scores, and who counts what they take. */
    private static long ofLevel() {
      return RamUsageEstimator.shallowSizeOfInstance(NeighborArray.class)
          + 2 * (object(2 * Integer.BYTES) + array(CAPACITY * Integer.BYTES))
          + object(0);
    }

    /** Its levels, in an array for each node and in one for all. */
    private static long ofTable() {
      return array(RamUsageEstimator.NUM_BYTES_OBJECT_REF) + RamUsageEstimator.NUM_BYTES_OBJECT_REF;
    }

    /** An object with one reference. */
    private static long object(int bytes) {
      return RamUsageEstimator.alignObjectSize(
          (long) RamUsageEstimator.NUM_BYTES_OBJECT_HEADER
              + RamUsageEstimator.NUM_BYTES_OBJECT_REF
              + bytes);
    }

    private static long array(int bytes) {
      return RamUsageEstimator.alignObjectSize(
          (long) RamUsageEstimator.NUM_BYTES_ARRAY_HEADER + bytes);
    }
  }
}
