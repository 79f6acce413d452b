package io.weir.benchmark.enginebulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.benchmark.enginebulk.EngineBulkBenchmark.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a trial asks of a node, over real HTTP. */
class EngineNodeTest {

  private static final String FLUSH =
      "POST /weir-bulk-stock/_flush?force=true&wait_if_ongoing=true";

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Queue<Integer> merging = new ArrayDeque<>(List.of(1, 0, 1));
  private final Map<String, String> answers =
      new ConcurrentHashMap<>(
          Map.of(
              "GET /", "{\"version\":{\"distribution\":\"opensearch\"}}",
              "GET /_nodes/stats/process",
                  "{\"nodes\":{\"n\":{\"process\":{\"cpu\":{\"total_in_millis\":5}}}}}",
              "POST /weir-bulk-stock/_bulk?filter_path=errors", "{\"errors\":false}",
              "POST /weir-bulk-weir/_bulk?filter_path=errors", "{\"errors\":false}"));
  private final HttpServer server;
  private final EngineNode node;

  EngineNodeTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    node = new EngineNode(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  /** A merge that waited for a thread was once deleted with the index, and none was on the disk. */
  @Test
  void index_mergesOneAfterTheOther_areAllAwaited_andThenOnTheDisk() throws Exception {
    node.index(Store.STOCK, List.of(new byte[] {'{', '}'}), 7, 2);

    assertTrue(merging.isEmpty(), "not awaited: " + merging);
    List<String> lastPosts = requests.stream().filter(r -> r.startsWith("POST")).toList();
    assertEquals(
        List.of(FLUSH, "POST /weir-bulk-stock/_refresh"),
        lastPosts.subList(lastPosts.size() - 2, lastPosts.size()));
    assertTrue(looks(requests.subList(0, requests.indexOf(FLUSH))) >= 6, requests.toString());
    assertEquals("DELETE /weir-bulk-stock", requests.getLast());
  }

  @Test
  void indexTogether_fillsAndDeletesAnIndexOfEach() throws Exception {
    answers.put(
        "GET /weir-bulk-weir/_weir/stats",
        "{\"nodes\":{\"n\":{\"merge\":{\"max_bytes_per_sec\":-1}}}}");

    Map<Store, EngineBulkBenchmark.Trial> trials =
        node.indexTogether(List.of(Store.WEIR, Store.STOCK), List.of(new byte[] {'{', '}'}), 7);

    assertEquals(List.of(Store.STOCK, Store.WEIR), List.copyOf(trials.keySet()));
    for (String index : List.of("/weir-bulk-stock", "/weir-bulk-weir")) {
      assertTrue(requests.contains("POST " + index + "/_bulk?filter_path=errors"), index);
      assertTrue(requests.contains("DELETE " + index), index);
    }
    assertEquals(0.123, trials.get(Store.STOCK).threadSeconds(), 1e-9);
  }

  @Test
  void version_isThatOfTheNode_alsoWithoutAnAnswerAtTheRoot() throws Exception {
    answers.put(
        "GET /_nodes?filter_path=nodes.*.version", "{\"nodes\":{\"n\":{\"version\":\"9.5.3\"}}}");
    assertEquals("opensearch 9.5.3", node.version());
    answers.put("GET /", "{\"error\":{\"type\":\"no such method\"}}");
    assertEquals("elasticsearch 9.5.3", node.version());
  }

  @Test
  void index_thatIsThereAlready_isLeftAlone() {
    answers.put(
        "PUT /weir-bulk-stock", "{\"error\":{\"type\":\"resource_already_exists_exception\"}}");

    IOException refused =
        assertThrows(IOException.class, () -> node.index(Store.STOCK, List.of(), 7, 2));

    assertTrue(refused.getMessage().contains("delete it first"), refused.getMessage());
    assertFalse(requests.contains("DELETE /weir-bulk-stock"), requests.toString());
  }

  @Test
  void index_ofWeirOnANodeWithACap_isRefused() throws Exception {
    String stats = "{\"nodes\":{\"n\":{\"merge\":{\"max_bytes_per_sec\":%d}}}}";
    answers.put("GET /weir-bulk-weir/_weir/stats", stats.formatted(40_000_000));

    IOException refused =
        assertThrows(IOException.class, () -> node.index(Store.WEIR, List.of(), 7, 2));

    assertTrue(refused.getMessage().endsWith("is 40000000"), refused.getMessage());
    answers.put("GET /weir-bulk-weir/_weir/stats", stats.formatted(-1));
    node.index(Store.WEIR, List.of(), 7, 2);
  }

  private static long looks(List<String> some) {
    return some.stream().filter(r -> r.endsWith("/_stats")).count();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      requests.add(request);
      byte[] body =
          request.endsWith("/_stats") && !request.contains("_weir") && !request.contains("_nodes")
              ? stats().getBytes(UTF_8)
              : answers.getOrDefault(request, "{}").getBytes(UTF_8);
      boolean refused = new String(body, UTF_8).contains("error\":{");
      exchange.sendResponseHeaders(refused ? 400 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String stats() {
    int current = merging.isEmpty() ? 0 : merging.remove();
    return "{\"_all\":{\"primaries\":{\"merges\":{\"current\":%d,\"total_docs\":3,\"total_time_in_millis\":100},\"indexing\":{\"index_time_in_millis\":20},\"refresh\":{\"total_time_in_millis\":2},\"flush\":{\"total_time_in_millis\":1},\"docs\":{\"count\":7}}}}"
        .formatted(current);
  }
}
