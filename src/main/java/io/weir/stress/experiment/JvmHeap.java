package io.weir.stress.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The heap of an arm's JVM. */
final class JvmHeap {

  /** The heap of an arm that does not say, so that collectors do as much in each. */
  private static final List<String> DEFAULT = List.of("-Xms1g", "-Xmx1g");

  /** Arguments that say what the heap is; ours beside them could contradict. */
  private static final Pattern SAYS_HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage|RAMFraction)=.*");

  private JvmHeap() {}

  /** {@code arguments}, with a heap if they name none. */
  static List<String> orDefault(List<String> arguments) {
    if (arguments.stream().anyMatch(SAYS_HEAP.asMatchPredicate())) {
      return arguments;
    }
    List<String> all = new ArrayList<>(DEFAULT);
    all.addAll(arguments);
    return all;
  }
}
