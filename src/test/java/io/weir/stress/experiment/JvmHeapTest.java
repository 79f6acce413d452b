package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmHeapTest {

  @Test
  void orDefault_noHeapNamed_isAGigabyte() {
    assertEquals(List.of("-Xms1g", "-Xmx1g"), JvmHeap.orDefault(List.of()));
    assertEquals(
        List.of("-Xms1g", "-Xmx1g", "-XX:+UseZGC", "-Xmn100m"),
        JvmHeap.orDefault(List.of("-XX:+UseZGC", "-Xmn100m")));
  }

  /** -Xmx512m after our -Xms1g is a JVM that does not start. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xmx512m", "-Xms2g", "-XX:MaxHeapSize=1g", "-XX:MaxRAMPercentage=50.0"})
  void orDefault_heapNamed_isLeftAlone(String argument) {
    assertEquals(List.of("-Xlog:gc", argument), JvmHeap.orDefault(List.of("-Xlog:gc", argument)));
  }
}
