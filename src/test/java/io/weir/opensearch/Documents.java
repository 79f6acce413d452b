package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Documents in the indexes of a server, and a record of what must be there: a number for each id.
 */
final class Documents {

  private final Supplier<OpenSearchServer> running;
  private final Map<String, Map<String, Long>> expected = new TreeMap<>(); // by index

  /**
   * @param running the server to call: in a cluster, any that runs
   */
  Documents(Supplier<OpenSearchServer> running) {
    this.running = running;
  }

  private OpenSearchServer server() {
    return running.get();
  }

  /** The numbers of all documents by id, as they must be. */
  Map<String, Long> expected(String index) {
    return expected.get(index);
  }

  /** Makes an index without replicas, which is not refreshed by itself. */
  void create(String index, String settings, String properties) throws IOException {
    create(index, 0, settings, properties);
  }

  /** Makes an index that is not refreshed by itself. */
  void create(String index, int replicas, String settings, String properties) throws IOException {
    server()
        .put(
            "/" + index,
            """
            {"settings": {"index.number_of_replicas": %d, "index.refresh_interval": "-1", %s},
             "mappings": {"properties": {"n": {"type": "long"}, "text": {"type": "text"} %s}}}
            """
                .formatted(replicas, settings, properties));
    expected.put(index, new TreeMap<>());
  }

  /** Indexes, updates and deletes documents, with refreshes in between. */
  void change(String index, Random random) throws IOException {
    Map<String, Long> now = expected.get(index);
    for (int round = 0; round < 5; round++) {
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        String id = Integer.toString(random.nextInt(300));
        if (random.nextInt(5) == 0 && !id.equals("7")) {
          bulk.append("{\"delete\":{\"_id\":\"%s\"}}\n".formatted(id));
          now.remove(id);
        } else {
          long number = random.nextInt(1 << 30);
          bulk.append("{\"index\":{\"_id\":\"%s\"}}\n".formatted(id))
              .append(
                  "{\"n\":%d,\"text\":\"a word\",\"parts\":[{\"p\":1},{\"p\":2}]}\n"
                      .formatted(number));
          now.put(id, number);
        }
      }
      long number = random.nextInt(1 << 30);
      bulk.append("{\"index\":{\"_id\":\"7\"}}\n{\"n\":%d,\"parts\":[]}\n".formatted(number));
      now.put("7", number);
      bulk(index, bulk.toString());
    }
  }

  /** Adds segments of incompressible text. */
  void fill(String index, int segments, int bytes) throws IOException {
    Random random = new Random(1);
    int id = 1000;
    for (int i = 0; i < segments; i++) {
      StringBuilder bulk = new StringBuilder();
      while (bulk.length() < bytes) {
        byte[] noise = new byte[3000];
        random.nextBytes(noise);
        long number = random.nextInt(1 << 30);
        bulk.append("{\"index\":{\"_id\":\"%d\"}}\n".formatted(id))
            .append(
                "{\"n\":%d,\"blob\":\"%s\"}\n".formatted(number, HexFormat.of().formatHex(noise)));
        expected.get(index).put(Integer.toString(id++), number);
      }
      bulk(index, bulk.toString());
    }
  }

  private void bulk(String index, String lines) throws IOException {
    JsonNode answer = server().post("/" + index + "/_bulk?refresh=true", lines);
    for (JsonNode item : answer.get("items")) {
      int status = item.elements().next().get("status").asInt();
      assertTrue(status < 300 || status == 404, item::toString); // 404: nothing to delete
    }
  }

  /**
   * The numbers of all documents by id, as a search of primaries finds them, some also by id. A
   * replica to which segments are copied may be a refresh behind.
   */
  Map<String, Long> found(String index) throws IOException {
    Map<String, Long> found = found(index, "preference=_primary");
    for (String id : new String[] {"7", "1000"}) {
      if (found.containsKey(id)) {
        assertEquals(
            found.get(id), server().get("/" + index + "/_doc/" + id).at("/_source/n").asLong());
      }
    }
    return found;
  }

  /** What a search finds, with a parameter of the search. */
  Map<String, Long> found(String index, String parameter) throws IOException {
    server().post("/" + index + "/_refresh", null);
    JsonNode hits = searched(index, parameter);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!hits.at("/_shards/successful").equals(hits.at("/_shards/total"))) {
      assertTrue(System.nanoTime() < end, hits::toString);
      hits = searched(index, parameter); // a shard was moving
    }
    Map<String, Long> found = new TreeMap<>();
    for (JsonNode hit : hits.at("/hits/hits")) {
      found.put(hit.get("_id").asText(), hit.at("/_source/n").asLong());
    }
    assertEquals(hits.at("/hits/total/value").asInt(), found.size());
    return found;
  }

  private JsonNode searched(String index, String parameter) throws IOException {
    return server()
        .post(
            "/" + index + "/_search?" + parameter,
            "{\"size\":10000,\"query\":{\"match_all\":{}},\"_source\":[\"n\"],\"track_total_hits\":true}");
  }
}
