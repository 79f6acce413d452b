package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.RunJson;
import io.weir.stress.setting.ArmSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run says to OpenSearch and Elasticsearch; {@code CommandEngineIT} has real servers. */
class RestIndexTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void prepare_aCap_isSetWithWhatItCounts(boolean countsReads) throws Exception {
    ArmSettings arm =
        ArmSettings.of(Map.of("cap", "40MB/s", "count-reads", countsReads ? "on" : "off"));
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      RestIndex.onOwnServer(client, Map.of("index.store.type", "weir")).prepare(arm);

      List<String> sent =
          engine.requestsInFull.stream().filter(r -> r.startsWith("PUT /_cluster")).toList();
      assertEquals(1, sent.size(), sent::toString);
      Map<?, ?> settings =
          RunJson.ofLine(sent.getFirst().replaceFirst("PUT /_cluster/settings ", ""), Map.class);
      assertEquals(
          Map.of(
              "weir.merge.max_bytes_per_sec",
              "40000000b",
              "weir.merge.count_reads",
              Boolean.toString(countsReads)),
          settings.get("persistent"));
    }
  }
}
