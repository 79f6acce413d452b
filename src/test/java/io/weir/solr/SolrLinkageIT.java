package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.versions.PluginLinkage;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The plug-in's classes against the jars of the next Solr, which cannot be started here, or of the
 * version that {@code tools/test --matrix} names: each class and member of Solr and Lucene that
 * they name is there, and they have all methods that it asks for.
 */
@Timeout(120)
class SolrLinkageIT {

  @Test
  void plugIn_namesOnlyWhatTheNextSolrHas() throws Exception {
    Path jars = Path.of(System.getProperty("weir.solr.jars", "target/solr-next"));
    try (PluginLinkage linkage =
        PluginLinkage.of(Path.of("target/classes"), jars, "io/weir/solr")) {
      assertEquals(Set.of(), Set.copyOf(linkage.broken()));
      assertTrue(linkage.references() > 50, linkage.references() + " references were found");
    }
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
}
