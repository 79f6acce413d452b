package io.weir.stress.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of an arm's JVM. */
final class JvmHeap {

  /** The heap of an arm that does not say, so that collectors do as much in each. */
  private static final List<String> DEFAULT = List.of("-Xms1g", "-Xmx1g");

  /** Arguments that say what the heap is; ours beside them could contradict. */
  private static final Pattern SAYS_HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage|RAMFraction)=.*");

  private static final Pattern SAYS_MOST =
      Pattern.compile("(?:-Xmx|-XX:MaxHeapSize=)([0-9]{1,12})([kKmMgGtT]?)");

  private JvmHeap() {}

  /**
   * How large the heap may become; empty when {@code arguments} do not say, or say it as a share of
   * memory.
   */
  static OptionalLong maxBytes(List<String> arguments) {
    OptionalLong bytes = OptionalLong.empty();
    for (String argument : arguments) { // of several the last one counts
      Matcher said = SAYS_MOST.matcher(argument);
      if (said.matches()) {
        int shift = 10 * ("kmgt".indexOf(said.group(2).toLowerCase(Locale.ROOT)) + 1);
        bytes =
            OptionalLong.of(Long.parseLong(said.group(1)) << (said.group(2).isEmpty() ? 0 : shift));
      }
    }
    return bytes;
  }

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
