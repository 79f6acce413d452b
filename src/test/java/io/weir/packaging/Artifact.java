package io.weir.packaging;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files that the build which runs these tests has made. */
final class Artifact {

  /** Of Weir, as the build says. */
  static final String VERSION = System.getProperty("weir.version", "unknown");

  private Artifact() {}

  /** {@code prefix}, the version and {@code suffix} make its name. */
  static Path built(String prefix, String suffix) {
    return existing(Path.of("target", prefix + VERSION + suffix));
  }

  /** The POM that users of {@code io.weir:artifactId} get. */
  static Path pom(String artifactId) {
    return existing(Path.of("target/classes/META-INF/maven/io.weir", artifactId, "pom.xml"));
  }

  private static Path existing(Path file) {
    assertTrue(Files.isRegularFile(file), () -> "mvn -Pdist package did not make " + file);
    return file.toAbsolutePath();
  }
}
