package io.weir.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmCommandTest {

  @Test
  void maxHeapBytes_isTheLastThatIsSaid() {
    assertEquals(1L << 30, JvmCommand.maxHeapBytes(JvmCommand.withHeap(List.of())).orElseThrow());
    assertEquals(512L << 20, JvmCommand.maxHeapBytes(List.of("-Xmx2G", "-Xmx512m")).orElseThrow());
    assertEquals(3L << 40, JvmCommand.maxHeapBytes(List.of("-XX:MaxHeapSize=3t")).orElseThrow());
    assertEquals(300L << 10, JvmCommand.maxHeapBytes(List.of("-Xmx300k", "-Xms1g")).orElseThrow());
    assertEquals(123_456_789, JvmCommand.maxHeapBytes(List.of("-Xmx123456789")).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xms2g", "-XX:MaxRAMPercentage=50.0", "-Xmx", "-Xmx2x", "-Xmx-1"})
  void maxHeapBytes_notSaidInBytes_isNotKnown(String argument) {
    assertEquals(OptionalLong.empty(), JvmCommand.maxHeapBytes(List.of(argument)));
  }

  @Test
  void withHeap_noHeapNamed_isAGigabyte() {
    assertEquals(List.of("-Xms1g", "-Xmx1g"), JvmCommand.withHeap(List.of()));
    assertEquals(
        List.of("-Xms1g", "-Xmx1g", "-XX:+UseZGC", "-Xmn100m"),
        JvmCommand.withHeap(List.of("-XX:+UseZGC", "-Xmn100m")));
  }

  /** -Xmx512m after our -Xms1g is a JVM that does not start. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xmx512m", "-Xms2g", "-XX:MaxHeapSize=1g", "-XX:MaxRAMPercentage=50.0"})
  void withHeap_heapNamed_isLeftAlone(String argument) {
    assertEquals(List.of("-Xlog:gc", argument), JvmCommand.withHeap(List.of("-Xlog:gc", argument)));
  }

  @Test
  void classPath_otherVersionsOfLibraries_areReplaced() {
    Path core = Path.of("other", "lucene-core-10.6.0.jar");
    JvmCommand jvm = new JvmCommand(Optional.empty(), List.of(), List.of(core));
    assertEquals(
        path(core.toString(), "classes", "lib/lucene-misc-10.5.1.jar", "lib/lucene-core-x"),
        jvm.classPath(
            path(
                "classes",
                "lib/lucene-core-10.5.1.jar",
                "lib/lucene-misc-10.5.1.jar",
                "lib/lucene-core-x")));
    assertEquals(path("a", "b-1.jar"), JvmCommand.SAME.classPath(path("a", "b-1.jar")));
  }

  private static String path(String... entries) {
    return String.join(File.pathSeparator, entries);
  }
}
