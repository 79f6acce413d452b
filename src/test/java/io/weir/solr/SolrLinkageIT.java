package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The plug-in's classes against the jars of the next Solr, which cannot be started here: each class
 * and member of Solr and Lucene that they name is there, and they have all methods that it asks
 * for.
 */
@Timeout(120)
class SolrLinkageIT {

  private static final String PLUG_IN = "io.weir.solr";
  private static final String THEIRS = "org.apache.";

  @Test
  void plugIn_namesOnlyWhatTheNextSolrHas() throws Exception {
    JavaClasses all = withJarsOf(Path.of("target/solr-next"));
    Collection<String> broken = new TreeSet<>();
    int references = 0;
    for (JavaClass type : all) {
      if (type.getPackageName().equals(PLUG_IN)) {
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
          if (access.getTargetOwner().getName().startsWith(THEIRS)) {
            references++;
            if (access.getTarget().resolveMember().isEmpty()) {
              broken.add(access.getDescription());
            }
          }
        }
        broken.addAll(notImplemented(type));
      }
    }
    assertEquals(Set.of(), broken);
    assertTrue(references > 50, references + " references were found");
  }

  /** Solr's class loader prefers its own copy of a class, whatever its version. */
  @Test
  void jar_hasTheLibraryAndNoClassThatSolrCouldHave() throws Exception {
    Path jar = Path.of("target", "weir-solr-" + System.getProperty("weir.version") + ".jar");
    try (JarFile opened = new JarFile(jar.toFile())) {
      List<String> names = opened.stream().map(JarEntry::getName).toList();
      assertEquals(
          List.of(),
          names.stream()
              .filter(name -> name.endsWith(".class") && !name.startsWith("io/weir/"))
              .toList());
      for (String needed :
          List.of(
              "META-INF/LICENSE",
              "META-INF/NOTICE",
              "io/weir/Weir.class",
              "io/weir/solr/WeirDirectoryFactory.class")) {
        assertTrue(names.contains(needed), needed);
      }
      assertTrue(names.stream().noneMatch(name -> name.startsWith("io/weir/stress/")));
    }
  }

  /** Without the class path of the tests, which may have another Solr. */
  private static JavaClasses withJarsOf(Path directory) throws Exception {
    List<Location> locations = new ArrayList<>();
    try (Stream<Path> jars = Files.list(directory)) {
      for (Path jar : jars.toList()) {
        locations.add(Location.of(URI.create("jar:" + jar.toUri() + "!/")));
      }
    }
    assertEquals(3, locations.size(), locations::toString);
    locations.add(Location.of(Path.of("target/classes/io/weir/solr")));
    locations.add(Location.of(Path.of("target/classes/io/weir/merge")));
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setResolveMissingDependenciesFromClassPath(false);
          return new ClassFileImporter().importLocations(locations);
        });
  }

  /** The abstract methods of its superclasses and interfaces that a class does not have. */
  private static List<String> notImplemented(JavaClass type) {
    if (type.isInterface() || type.getModifiers().contains(JavaModifier.ABSTRACT)) {
      return List.of();
    }
    Collection<JavaMethod> inherited = type.getAllMethods();
    return inherited.stream()
        .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
        .filter(
            method ->
                inherited.stream()
                    .noneMatch(
                        other ->
                            !other.getModifiers().contains(JavaModifier.ABSTRACT)
                                && other.getName().equals(method.getName())
                                && other
                                    .getRawParameterTypes()
                                    .equals(method.getRawParameterTypes())))
        .map(method -> type.getSimpleName() + " lacks " + method.getFullName())
        .toList();
  }
}
