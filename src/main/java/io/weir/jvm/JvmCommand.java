package io.weir.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a JVM is started.
 *
 * @param java the executable; empty for the one that runs this
 * @param arguments further arguments
 */
public record JvmCommand(Optional<String> java, List<String> arguments) {

  /** The JVM that runs this, without further arguments. */
  public static final JvmCommand SAME = new JvmCommand(Optional.empty(), List.of());

  /** The heap of a JVM that does not say which, so that collectors do as much in each. */
  private static final List<String> DEFAULT_HEAP = List.of("-Xms1g", "-Xmx1g");

  /** Arguments that say what the heap is; ours beside them could contradict. */
  private static final Pattern SAYS_HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage|RAMFraction)=.*");

  private static final Pattern SAYS_MOST =
      Pattern.compile("(?:-Xmx|-XX:MaxHeapSize=)([0-9]{1,12})([kKmMgGtT]?)");

  /** {@code arguments} of a JVM, with a heap of a gibibyte if they name none. */
  public static List<String> withHeap(List<String> arguments) {
    return withHeap(arguments, DEFAULT_HEAP);
  }

  /**
   * {@code arguments} of a JVM, with {@code heap} if they name none. One that says anything about
   * its heap gets only what it says, and the defaults of the JVM for the rest.
   */
  public static List<String> withHeap(List<String> arguments, List<String> heap) {
    if (arguments.stream().anyMatch(SAYS_HEAP.asMatchPredicate())) {
      return arguments;
    }
    List<String> all = new ArrayList<>(heap);
    all.addAll(arguments);
    return all;
  }

  /**
   * How large the heap may become; empty when {@code arguments} do not say, or say it as a share of
   * memory.
   */
  public static OptionalLong maxHeapBytes(List<String> arguments) {
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

  /** The command that runs {@code main} with the libraries of this JVM. */
  List<String> of(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(
        java.orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }
}
