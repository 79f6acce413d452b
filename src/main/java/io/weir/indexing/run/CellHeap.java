package io.weir.indexing.run;

import io.weir.indexing.plan.IndexingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The heap of a cell's JVM. All cells of a run have the same, so that collectors do the same work
 * for the same garbage: enough for the largest buffer, and for documents in memory. An arm that
 * says anything about its heap gets only what it says, and the defaults of the JVM for the rest.
 */
final class CellHeap {

  /** Arguments that say what the heap is; ours beside them could contradict. */
  private static final Pattern SAYS_HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage|RAMFraction)=.*");

  /** A text takes its bytes and those of its objects, or twice that beyond Latin-1. */
  private static final int SOURCE_FACTOR = 2;

  /** Lucene stalls indexing at twice its buffer. */
  private static final int BUFFER_FACTOR = 2;

  /** For merges, readers, classes and garbage. */
  private static final long REST_MEBIBYTES = 512;

  private CellHeap() {}

  /** What every cell's JVM has that does not say it itself. */
  static List<String> arguments(IndexingPlan plan) {
    long buffer = plan.ramBuffers().stream().mapToLong(bytes -> bytes).max().orElseThrow();
    long mebibytes =
        REST_MEBIBYTES + ((BUFFER_FACTOR * buffer + SOURCE_FACTOR * plan.sourceBytes()) >> 20);
    return List.of("-Xms" + mebibytes + "m", "-Xmx" + mebibytes + "m");
  }

  /** {@code arguments} of an arm, with the run's heap if they name none. */
  static List<String> orDefault(List<String> arguments, IndexingPlan plan) {
    if (arguments.stream().anyMatch(SAYS_HEAP.asMatchPredicate())) {
      return arguments;
    }
    List<String> all = new ArrayList<>(arguments(plan));
    all.addAll(arguments);
    return all;
  }
}
