package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.stress.experiment.EngineSource;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --dry-run --json} says to a program. */
class ForecastTest {

  @TempDir Path temp;

  private JsonNode dryRun(String command, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--dry-run", "--json", "--docs", "synthetic:2000"));
    arguments.addAll(List.of("--out", temp.resolve("out").toString()));
    arguments.addAll(List.of(more));
    WeirProcess.Ended ended = InProcess.run(arguments.toArray(String[]::new));
    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals("", ended.err());
    assertEquals(List.of(), WeirProcess.tree(temp));
    JsonNode json = new ObjectMapper().readTree(ended.out());
    assertEquals(command.split(" ")[0], json.path("kind").asText());
    assertEquals(temp.resolve("out").toString(), json.path("out").asText());
    return json;
  }

  @Test
  void json_stress_hasTheArmsTheIndexesAndWhatTheyTake() throws Exception {
    Path index = temp.resolve("index");

    JsonNode json =
        dryRun("stress --rounds 2 --index " + index, "--arm", "a: preset=stock", "--arm", "b:");

    assertEquals(2, json.path("rounds").asInt());
    assertEquals(List.of("a", "b"), json.path("arms").findValuesAsText("name"));
    assertEquals("stock", json.at("/arms/0/settings/preset").asText());
    assertEquals(index.toString(), json.at("/indexes/0/path").asText());
    assertEquals("built", json.at("/indexes/0/making").asText());
    assertEquals("rewritten", json.at("/indexes/1/making").asText());
    assertTrue(json.path("neededBytes").asLong() > json.path("indexBytes").asLong());
    assertTrue(json.path("freeBytes").asLong() > 0, json.toString());
    assertTrue(json.path("seconds").asDouble() > 60, json.toString());
  }

  @Test
  void json_sweep_hasItsObjectivesAndTheMostTime() throws Exception {
    JsonNode json =
        dryRun("sweep --slo reopen.p99<50ms --caps 5MB/s,10MB/s", "--arm", "a: preset=weir");

    assertEquals(List.of("a uncapped"), json.path("arms").findValuesAsText("name"));
    assertEquals("[5000000,10000000]", json.path("capsBytesPerSecond").toString());
    assertEquals("[\"reopen.p99<50ms\"]", json.path("slos").toString());
    assertTrue(json.path("mostSeconds").asDouble() > 60, json.toString());
  }

  @Test
  void json_load_hasTheLoadsAndTheLeastTime() throws Exception {
    JsonNode json = dryRun("load --load 20,40 --step 5s --warmup 10s --rounds 3", "--arm", "a:");

    assertEquals("none", json.at("/arms/0/settings/merge").asText());
    assertEquals("[20.0,40.0]", json.path("requestsPerSecond").toString());
    assertEquals(60, json.path("leastSeconds").asDouble());
    assertEquals("built", json.at("/indexes/0/making").asText());
  }

  @Test
  void json_index_hasTheCellsAndItsTimes() throws Exception {
    JsonNode json = dryRun("index --threads 1,2 --ram-buffer 64MB --duration 10s --rounds 2");

    assertEquals(
        "[\"stock, 1 thread, 64MB\",\"stock, 2 threads, 64MB\"]", json.path("cells").toString());
    assertEquals("add", json.at("/arms/0/settings/mode").asText());
    assertEquals(40, json.path("leastSeconds").asDouble());
    assertEquals(120, json.path("mostSeconds").asDouble());
    assertTrue(json.path("freeBytes").asLong() > 0, json.toString());
  }

  @Test
  void json_onAnEngine_leavesOutWhatIsNotKnown() {
    StressPlan plan =
        new StressPlan(
            new Documents("synthetic:10", 1, 0),
            QuerySource.TERMS,
            Optional.empty(),
            temp.resolve("out"),
            List.of(new Arm("target", ArmSettings.DEFAULT)),
            1,
            Duration.ofMillis(50),
            false,
            false,
            Telemetry.NONE,
            List.of());

    JsonNode json = Forecast.of(new EngineSource.Forecast(plan, "weir at http://there")).json();

    assertEquals("weir at http://there", json.path("index").asText());
    assertFalse(json.has("seconds") || json.has("indexBytes") || json.has("indexes"));
  }
}
