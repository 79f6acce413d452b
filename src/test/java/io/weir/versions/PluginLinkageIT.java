package io.weir.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Distribution;
import io.weir.suite.Slow;
import java.io.File;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The plug-ins' classes as they are packaged against the jars of the engine that they are compiled
 * for, or of the versions that {@code tools/test --matrix} names.
 */
@Slow("reads all jars of an engine")
@Timeout(180)
class PluginLinkageIT {

  private static final Path CLASSES = Path.of("target", "classes");

  /** What this plug-in overrides in the version that it is compiled for, and need not in older. */
  private static final Set<String> NOT_CALLED_BY_ALL =
      Set.of("io/weir/opensearch/WeirStore.newFSDirectory"); // before OpenSearch 3.4

  @ParameterizedTest
  @ValueSource(strings = {"opensearch", "elasticsearch"})
  void plugIn_namesOnlyWhatTheEngineHas_andIsCalledByIt(String engine) throws Exception {
    String ours = "io/weir/" + engine;
    Path built = Distribution.ofTheBuild(engine).resolve("lib");
    try (PluginLinkage compiled = PluginLinkage.of(CLASSES, built, ours)) {
      for (Path jars : tried(engine, built)) {
        try (PluginLinkage tried = PluginLinkage.of(CLASSES, jars, ours, "io/weir/engine")) {
          Set<String> differs = new TreeSet<>(tried.broken());
          Collection<String> lost = names(compiled);
          lost.removeAll(names(tried));
          lost.removeAll(NOT_CALLED_BY_ALL);
          lost.forEach(
              method -> differs.add(method + ": the engine has no such method to override"));
          assertEquals(Set.of(), differs, jars::toString);
          assertTrue(tried.references() > 500, tried.references() + " references were found");
        }
      }
    }
  }

  /** The check itself: without the engine's jars everything is missing. */
  @Test
  void plugIn_withoutAnEngine_lacksItsClasses(@TempDir Path empty) throws Exception {
    try (PluginLinkage linkage = PluginLinkage.of(CLASSES, empty, "io/weir/opensearch")) {
      assertTrue(
          linkage
              .broken()
              .contains(
                  "io/weir/opensearch/WeirEngine: no class"
                      + " org/opensearch/index/engine/InternalEngine"),
          () -> "" + linkage.broken());
      assertEquals(List.of(), List.copyOf(linkage.overriding()));
    }
  }

  /** A method may have other parameters in another version, if ours has both forms. */
  private static Collection<String> names(PluginLinkage linkage) {
    return linkage.overriding().stream()
        .map(method -> method.substring(0, method.indexOf('(')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> tried(String engine, Path built) {
    String directories = System.getProperty("weir." + engine + ".jars", built.toString());
    return Stream.of(directories.split(File.pathSeparator)).map(Path::of).toList();
  }
}
