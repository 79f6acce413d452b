package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.GcResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The garbage collections of all nodes up to one moment; their pauses are not reported.
 *
 * @param millis their time
 * @param collectors their names
 */
record EngineCollections(long count, long millis, List<String> collectors) {

  static final EngineCollections NONE = new EngineCollections(0, 0, List.of());

  static EngineCollections now(EngineClient client) throws IOException, InterruptedException {
    long count = 0;
    long millis = 0;
    List<String> names = new ArrayList<>();
    for (JsonNode node : client.get("/_nodes/stats/jvm").path("nodes")) {
      for (Map.Entry<String, JsonNode> collector :
          node.path("jvm").path("gc").path("collectors").properties()) {
        count += collector.getValue().path("collection_count").asLong();
        millis += collector.getValue().path("collection_time_in_millis").asLong();
        if (!names.contains(collector.getKey())) {
          names.add(collector.getKey());
        }
      }
    }
    return new EngineCollections(count, millis, List.copyOf(names));
  }

  GcResult since(EngineCollections start) {
    return new GcResult(
        count - start.count, (millis - start.millis) / 1e3, collectors, Optional.empty());
  }
}
