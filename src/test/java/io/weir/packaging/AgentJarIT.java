package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/**
 * The agent's jar shows an application's loaders four classes of its own, and hides everything else
 * from them.
 */
class AgentJarIT {

  private static final Path JAR = Artifact.built("weir-agent-", ".jar");
  private static final String NESTED = "nested/";
  private static final int CLASS_FILE_OF_JAVA_11 = 55;

  @Test
  void jar_outsideNested_holdsWhatTheJvmAndLuceneCall() throws Exception {
    assertEquals(
        List.of(
            "META-INF/LIBRARIES.txt",
            "META-INF/LICENSE",
            "META-INF/MANIFEST.MF",
            "META-INF/NOTICE",
            "io/weir/agent/AgentLog.class",
            "io/weir/agent/Hooks$Call.class",
            "io/weir/agent/Hooks$Target.class",
            "io/weir/agent/Hooks.class",
            "io/weir/agent/NestedLoader.class",
            "io/weir/agent/WeirAgent.class"),
        files().stream().filter(file -> !file.startsWith(NESTED)).toList());
  }

  @Test
  void jar_nested_holdsTheLibraryAndWhatItNeeds_andNoLucene() throws Exception {
    List<String> nested = files().stream().filter(file -> file.startsWith(NESTED)).toList();

    for (String needed :
        List.of(
            "io/weir/Weir",
            "io/weir/agent/lucene/BesideLucene",
            "io/weir/agent/process/AgentProcess",
            "io/micrometer/core/instrument/MeterRegistry",
            "io/prometheus/metrics/model/registry/PrometheusRegistry",
            "net/bytebuddy/ByteBuddy")) {
      assertTrue(nested.contains(NESTED + needed + ".class"), needed);
    }
    assertEquals(
        List.of(),
        nested.stream()
            .filter(file -> file.matches("nested/(org/apache/lucene|META-INF|io/weir/cli)/.*"))
            .toList());
  }

  @Test
  void manifest_namesTheEntryPoints_andNothingThatTheBootLoaderReads() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      Attributes attributes = jar.getManifest().getMainAttributes();
      for (String entry : List.of("Premain-Class", "Agent-Class")) {
        assertEquals("io.weir.agent.WeirAgent", attributes.getValue(entry));
      }
      assertEquals("true", attributes.getValue("Can-Retransform-Classes"));
      assertEquals(null, attributes.getValue("Boot-Class-Path"));
    }
  }

  /** A JVM that cannot load the entry point ends, and the application with it. */
  @Test
  void entryPoint_isForTheOldestJavaThatRunsLucene() throws Exception {
    for (String name : List.of("WeirAgent", "AgentLog")) {
      assertEquals(CLASS_FILE_OF_JAVA_11, classFileVersion("io/weir/agent/" + name + ".class"));
    }
  }

  private static int classFileVersion(String entry) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile());
        DataInputStream in = new DataInputStream(jar.getInputStream(jar.getEntry(entry)))) {
      in.readInt(); // 0xCAFEBABE
      in.readUnsignedShort(); // the minor version
      return in.readUnsignedShort();
    }
  }

  private static List<String> files() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).sorted().toList();
    }
  }
}
