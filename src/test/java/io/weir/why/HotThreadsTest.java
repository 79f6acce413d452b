package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nrt.CauseRules;
import io.weir.nrt.ReopenCause;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of hot threads, as OpenSearch 3.8.0 and Elasticsearch 9.5.3 wrote it. */
class HotThreadsTest {

  private static String recorded(String name) throws Exception {
    try (InputStream in = HotThreadsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "opensearch/hot-threads-1.txt",
        "opensearch/hot-threads-2.txt",
        "elasticsearch/hot-threads-1.txt",
        "elasticsearch/hot-threads-2.txt"
      })
  void parse_aRecordedAnswer_hasEachThreadAndEachFrameOfItsNode(String name) throws Exception {
    String text = recorded(name);

    Map<String, List<ThreadDump.Thread>> nodes = HotThreads.parse(text);

    assertEquals(1, nodes.size());
    List<ThreadDump.Thread> threads = nodes.values().iterator().next();
    assertTrue(text.contains("}{" + nodes.keySet().iterator().next() + "}{"), nodes.toString());
    assertEquals(
        text.lines().filter(line -> line.contains("usage by thread")).count(), threads.size());
    assertEquals(
        text.lines().filter(line -> line.startsWith("       ")).count(),
        threads.stream().mapToInt(thread -> thread.frames().size()).sum());
    assertTrue(
        threads.stream().anyMatch(thread -> !CauseRules.refresh(thread.frames()).isEmpty()),
        threads.toString());
  }

  @Test
  void parse_aRecordedRefresh_isReadByTheRulesOfTheLibrary() throws Exception {
    List<StackTraceElement> refresh =
        HotThreads.parse(recorded("opensearch/hot-threads-1.txt"))
            .values()
            .iterator()
            .next()
            .stream()
            .map(thread -> CauseRules.refresh(thread.frames()))
            .filter(frames -> !frames.isEmpty() && !CauseRules.awaitsRefresh(frames))
            .findFirst()
            .orElseThrow();

    assertFalse(refresh.getFirst().getClassName().contains("/"), refresh.toString());
    assertEquals("org.apache.lucene.search.ReferenceManager", refresh.getLast().getClassName());
    assertTrue(CauseRules.of(refresh, false) != ReopenCause.UNKNOWN, refresh.toString());
  }

  @Test
  void element_ofEachLoader_isReadWithoutIt() {
    for (String name :
        List.of(
            "java.base@25.0.3/a.B.c(B.java:1)",
            "java.base/a.B.c(B.java:1)",
            "app//a.B.c(B.java:1)",
            "app/x.y.z@9.5.3/a.B.c(B.java:1)",
            "       a.B.c(B.java:1)")) {
      assertEquals(new StackTraceElement("a.B", "c", "B.java", 1), ThreadDump.element(name).get());
    }
    assertEquals(
        "a.B$$Lambda/0x0000000081e9d480",
        ThreadDump.element("app//a.B$$Lambda/0x0000000081e9d480.get(Unknown Source)")
            .orElseThrow()
            .getClassName());
    assertTrue(ThreadDump.element("app//a.B.c(Native Method)").orElseThrow().isNativeMethod());
    assertTrue(ThreadDump.element("     unique snapshot").isEmpty());
  }

  @Test
  void parse_whatIsNoAnswer_hasNoNode() {
    assertEquals(Map.of(), HotThreads.parse("{\"error\":\"no\"}\n"));
  }
}
