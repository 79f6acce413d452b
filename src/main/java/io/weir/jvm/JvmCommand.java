package io.weir.jvm;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a JVM is started.
 *
 * @param java the executable; empty for the one that runs this
 * @param arguments further arguments
 * @param libraries jars that take the place of other versions of them among this JVM's libraries
 */
public record JvmCommand(Optional<String> java, List<String> arguments, List<Path> libraries) {

  /** The JVM that runs this, without further arguments. */
  public static final JvmCommand SAME = new JvmCommand(Optional.empty(), List.of());

  /** What follows the name of a library in that of its jar: {@code -10.5.1.jar}. */
  private static final Pattern VERSION = Pattern.compile("-[0-9][^-/\\\\]*[.]jar$");

  /** The heap of a JVM that does not say which, so that collectors do as much in each. */
  private static final List<String> DEFAULT_HEAP = List.of("-Xms1g", "-Xmx1g");

  /** Arguments that say what the heap is; ours beside them could contradict. */
  private static final Pattern SAYS_HEAP =
      Pattern.compile("-Xm[sx].*|-XX:(Max|Initial|Min)(HeapSize|RAMPercentage|RAMFraction)=.*");

  private static final Pattern SAYS_MOST =
      Pattern.compile("(?:-Xmx|-XX:MaxHeapSize=)([0-9]{1,12})([kKmMgGtT]?)");

  /** A JVM with the libraries of this one. */
  public JvmCommand(Optional<String> java, List<String> arguments) {
    this(java, arguments, List.of());
  }

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

  /** The command that runs {@code main}. */
  List<String> of(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(
        java.orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    command.addAll(
        List.of("-cp", classPath(System.getProperty("java.class.path")), main.getName()));
    return command;
  }

  /** {@code own}, with {@link #libraries} first and without other versions of them. */
  String classPath(String own) {
    Set<String> replaced =
        libraries.stream().map(jar -> nameOf(jar.toString())).collect(Collectors.toSet());
    return Stream.concat(
            libraries.stream().map(Path::toString),
            Stream.of(own.split(Pattern.quote(File.pathSeparator)))
                .filter(entry -> !replaced.contains(nameOf(entry))))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What a library is called without its place and version; a folder is called by its path. */
  private static String nameOf(String entry) {
    Matcher version = VERSION.matcher(entry);
    return version.find()
        ? Path.of(entry.substring(0, version.start())).getFileName().toString()
        : entry;
  }
}
