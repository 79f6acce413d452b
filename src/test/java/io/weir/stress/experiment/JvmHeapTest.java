package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmHeapTest {

  @Test
  void maxBytes_isTheLastThatIsSaid() {
    assertEquals(1L << 30, JvmHeap.maxBytes(JvmHeap.orDefault(List.of())).orElseThrow());
    assertEquals(512L << 20, JvmHeap.maxBytes(List.of("-Xmx2G", "-Xmx512m")).orElseThrow());
    assertEquals(3L << 40, JvmHeap.maxBytes(List.of("-XX:MaxHeapSize=3t")).orElseThrow());
    assertEquals(300L << 10, JvmHeap.maxBytes(List.of("-Xmx300k", "-Xms1g")).orElseThrow());
    assertEquals(123_456_789, JvmHeap.maxBytes(List.of("-Xmx123456789")).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xms2g", "-XX:MaxRAMPercentage=50.0", "-Xmx", "-Xmx2x", "-Xmx-1"})
  void maxBytes_notSaidInBytes_isNotKnown(String argument) {
    assertEquals(OptionalLong.empty(), JvmHeap.maxBytes(List.of(argument)));
  }

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
