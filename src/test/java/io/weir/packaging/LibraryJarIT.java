package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.architecture.Ring;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The library's jars hold the rings of the library, as a module, and nothing of the command line;
 * the query cache's jars hold the query cache.
 */
@Timeout(120)
class LibraryJarIT {

  private static final Path JAR = Artifact.built("weir-", ".jar");
  private static final Path QUERY_CACHE_JAR = Artifact.built("modules/weir-", "-query-cache.jar");
  private static final ModuleDescriptor LIBRARY = module(JAR, "io.weir");
  private static final ModuleDescriptor QUERY_CACHE = module(QUERY_CACHE_JAR, "io.weir.cache");

  @Test
  void library_holdsItsRingsAndNothingElse() throws Exception {
    assertEquals(packages(Ring::isInLibrary), packagesIn(JAR));
    assertHoldsBesidesItsClasses(JAR, "weir");
  }

  @Test
  void queryCache_holdsItsRingAndNothingElse() throws Exception {
    assertEquals(packages(Ring::isInQueryCache), packagesIn(QUERY_CACHE_JAR));
    assertHoldsBesidesItsClasses(QUERY_CACHE_JAR, "weir-query-cache");
  }

  private static void assertHoldsBesidesItsClasses(Path jar, String artifactId) throws IOException {
    assertEquals(
        List.of(
            "META-INF/LICENSE",
            "META-INF/MANIFEST.MF",
            "META-INF/NOTICE",
            "META-INF/maven/io.weir/" + artifactId + "/pom.xml",
            "module-info.class"),
        files(jar).filter(file -> !file.startsWith("io/weir/")).sorted().toList());
    assertEquals(
        List.of(),
        files(jar)
            .filter(file -> file.startsWith("io/weir/") && !file.endsWith(".class"))
            .toList());
  }

  @Test
  void commandLine_holdsItsRingsAndNothingElse() throws Exception {
    Set<String> rings = new TreeSet<>();
    for (String name : packagesIn(Artifact.built("weir-", "-cli.jar"))) {
      rings.add(name.split("[.]")[2]);
    }
    Set<String> expected = new TreeSet<>();
    for (String name : packages(Ring::isInCommandLine)) {
      expected.add(name.split("[.]")[2]);
    }
    assertEquals(expected, rings);
  }

  @Test
  void sources_areThoseOfTheJar() throws Exception {
    assertEquals(packages(Ring::isInLibrary), sources("-sources.jar"));
    assertEquals(packages(Ring::isInQueryCache), sources("-query-cache-sources.jar"));
  }

  private static Set<String> sources(String suffix) throws IOException {
    return files(Artifact.built("weir-", suffix))
        .filter(file -> file.endsWith(".java"))
        .map(LibraryJarIT::packageOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void javadoc_isThatOfThePublicPackages() throws Exception {
    assertEquals(
        packages(ring -> ring.isPublic() && ring.isInLibrary()), documented("-javadoc.jar"));
    assertEquals(packages(Ring::isInQueryCache), documented("-query-cache-javadoc.jar"));
  }

  private static Set<String> documented(String suffix) throws IOException {
    return files(Artifact.built("weir-", suffix))
        .filter(file -> file.endsWith("/package-summary.html"))
        .map(LibraryJarIT::packageOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void module_exportsThePublicPackages() {
    assertEquals(packages(ring -> ring.isPublic() && ring.isInLibrary()), exported(LIBRARY));
    assertEquals(packages(Ring::isInQueryCache), exported(QUERY_CACHE));
    assertEquals(
        Map.of("io.weir.lucene", Set.of("io.weir.cache")),
        LIBRARY.exports().stream()
            .filter(Exports::isQualified)
            .collect(Collectors.toMap(Exports::source, Exports::targets)));
  }

  private static Set<String> exported(ModuleDescriptor module) {
    assertTrue(!module.isAutomatic(), module::toString);
    return module.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void module_requiresWhatItsClassesUse() throws Exception {
    assertRequiresWhatItUses(LIBRARY);
    assertRequiresWhatItUses(QUERY_CACHE);
  }

  private static void assertRequiresWhatItUses(ModuleDescriptor module) {
    List<String> libraries = new ArrayList<>(List.of(JAR.toString(), QUERY_CACHE_JAR.toString()));
    String classPath = System.getProperty("surefire.test.class.path"); // of this very process
    for (String entry : classPath.split(File.pathSeparator)) {
      if (entry.matches(".*/(lucene-core|micrometer-|prometheus-|oshi-common|slf4j-api)[^/]*jar")) {
        libraries.add(entry);
      }
    }
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int exitCode =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                writer,
                writer,
                "--multi-release=21",
                "--module-path=" + String.join(File.pathSeparator, libraries),
                "--add-modules=ALL-MODULE-PATH",
                "--check=" + module.name());
    assertEquals(0, exitCode, said::toString);
    String[] parts = said.toString().split("\\[[A-Z][^\\]]+\\]");
    if (parts.length > 2) { // otherwise it suggests what is there
      assertEquals(4, parts.length, said::toString);
      assertEquals(requirements(module, parts[2]), requirements(module, parts[1]), said::toString);
    }
    assertEquals(
        List.of(),
        module.requires().stream()
            .filter(it -> it.modifiers().containsAll(Set.of(Modifier.STATIC, Modifier.TRANSITIVE)))
            .toList(),
        "javac would not compile an application without it");
  }

  @Test
  void pom_namesLuceneAndTheOptionalLibrariesOfMetrics() throws Exception {
    String pom = Files.readString(Artifact.pom("weir"));
    assertTrue(!pom.contains("${"), pom);
    assertEquals(
        List.of("com.github.oshi", "io.micrometer", "io.prometheus", "org.apache.lucene"),
        groups(pom));
    assertEquals(
        groupCount(pom) - 1, pom.split("<optional>true</optional>", -1).length - 1, "all but one");
    for (String element : List.of("name", "description", "url", "license", "developer", "scm")) {
      assertTrue(pom.contains("<" + element + ">"), "a central repository wants " + element);
    }
    String queryCache = Files.readString(Artifact.pom("weir-query-cache"));
    assertTrue(!queryCache.contains("${"), queryCache);
    assertEquals(List.of("io.weir", "org.apache.lucene"), groups(queryCache));
    String metrics = Files.readString(Artifact.pom("weir-metrics"));
    assertTrue(!metrics.contains("${"), metrics);
    assertEquals(
        List.of("com.github.oshi", "io.micrometer", "io.prometheus", "io.weir"), groups(metrics));
    assertEquals(groupCount(pom), groupCount(metrics), "Weir in place of Lucene");
  }

  private static List<String> groups(String pom) {
    return dependencies(pom).distinct().sorted().toList();
  }

  private static long groupCount(String pom) {
    return dependencies(pom).count();
  }

  private static Stream<String> dependencies(String pom) {
    return Arrays.stream(pom.split("<dependency>"))
        .skip(1)
        .map(dependency -> dependency.replaceFirst("(?s).*?<groupId>(.*?)</groupId>.*", "$1"));
  }

  /**
   * The lines {@code requires}, without {@code static}, of which jdeps knows nothing, and without
   * {@code transitive} where ours are static.
   */
  private static Set<String> requirements(ModuleDescriptor module, String part) {
    Set<String> optional =
        module.requires().stream()
            .filter(it -> it.modifiers().contains(Modifier.STATIC))
            .map(it -> "requires " + it.name() + ";")
            .collect(Collectors.toSet());
    return part.lines()
        .map(line -> line.trim().replace("static ", ""))
        .filter(line -> line.startsWith("requires "))
        .map(
            line ->
                optional.contains(line.replace("transitive ", ""))
                    ? line.replace("transitive ", "")
                    : line)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static ModuleDescriptor module(Path jar, String name) {
    return ModuleFinder.of(jar).find(name).orElseThrow().descriptor();
  }

  private static Set<String> packages(Predicate<Ring> which) {
    return Arrays.stream(Ring.values())
        .filter(which)
        .map(Ring::fullName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> packagesIn(Path jar) throws IOException {
    return files(jar)
        .filter(file -> file.endsWith(".class") && file.contains("/"))
        .map(LibraryJarIT::packageOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The package of a ring; its rooms, such as {@code io.weir.store.keys}, belong to it. */
  private static String packageOf(String file) {
    return file.substring(0, file.lastIndexOf('/'))
        .replace('/', '.')
        .replaceFirst("^(io[.]weir[.]\\w+)[.].*", "$1");
  }

  private static Stream<String> files(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .filter(entry -> !entry.isDirectory())
          .map(entry -> entry.getName())
          .toList()
          .stream();
    }
  }
}
