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
 * The library's jars hold the rings of the library, as a module, and nothing of the command line.
 */
@Timeout(120)
class LibraryJarIT {

  private static final Path JAR = Artifact.built("weir-", ".jar");

  @Test
  void library_holdsItsRingsAndNothingElse() throws Exception {
    assertEquals(packages(Ring::isInLibrary), packagesIn(JAR));
    assertEquals(
        List.of(
            "META-INF/LICENSE",
            "META-INF/MANIFEST.MF",
            "META-INF/NOTICE",
            "META-INF/maven/io.weir/weir/pom.xml",
            "module-info.class"),
        files(JAR).filter(file -> !file.startsWith("io/weir/")).sorted().toList());
    assertEquals(
        List.of(),
        files(JAR)
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
  void sources_areThoseOfTheLibrary() throws Exception {
    Set<String> found = new TreeSet<>();
    files(Artifact.built("weir-", "-sources.jar"))
        .filter(file -> file.endsWith(".java"))
        .forEach(file -> found.add(packageOf(file)));
    assertEquals(packages(Ring::isInLibrary), found);
  }

  @Test
  void javadoc_isThatOfThePublicPackages() throws Exception {
    Set<String> found = new TreeSet<>();
    files(Artifact.built("weir-", "-javadoc.jar"))
        .filter(file -> file.endsWith("/package-summary.html"))
        .forEach(file -> found.add(packageOf(file)));
    assertEquals(packages(Ring::isPublic), found);
  }

  @Test
  void module_exportsThePublicPackages() {
    Set<String> exported = new TreeSet<>();
    for (Exports exports : descriptor().exports()) {
      assertTrue(!exports.isQualified(), exports::toString);
      exported.add(exports.source());
    }
    assertEquals(packages(Ring::isPublic), exported);
    assertTrue(!descriptor().isAutomatic());
  }

  @Test
  void module_requiresWhatItsClassesUse() throws Exception {
    List<String> libraries = new ArrayList<>(List.of(JAR.toString()));
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
                "--check=io.weir");
    assertEquals(0, exitCode, said::toString);
    String[] parts = said.toString().split("\\[[A-Z][^\\]]+\\]");
    assertEquals(4, parts.length, said::toString);
    assertEquals(requirements(parts[2]), requirements(parts[1]), said::toString);
    assertEquals(
        List.of(),
        descriptor().requires().stream()
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
  private static Set<String> requirements(String part) {
    Set<String> optional =
        descriptor().requires().stream()
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

  private static ModuleDescriptor descriptor() {
    return ModuleFinder.of(JAR).find("io.weir").orElseThrow().descriptor();
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

  private static String packageOf(String file) {
    return file.substring(0, file.lastIndexOf('/')).replace('/', '.');
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
