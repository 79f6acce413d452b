package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.RunJson;
import java.nio.file.Path;

/** {@code weir why URL}, on a server that runs. */
public final class TargetWhy {

  private TargetWhy() {}

  /**
   * Asks a server for some seconds.
   *
   * @param directory empty
   * @param target as {@code weir why} spells it
   * @param engine the name of its version in the answer
   * @return the version
   */
  public static String version(Path directory, String target, String engine) throws Exception {
    WeirProcess.Ended ended = WeirProcess.run(directory, "why", target, "--for", "8s", "--json");

    assertEquals(0, ended.exitCode(), ended.toString());
    JsonNode why = RunJson.parse(ended.out());
    assertFalse(why.get("answer").asText().isBlank(), ended.toString());
    assertTrue(why.at("/facts/stacks/value").asInt() > 0, ended.toString());
    assertTrue(why.get("facts").has("cluster.indexes"), ended.toString());
    assertTrue(why.get("facts").has("refresh.rate"), ended.toString());
    return why.get("about").path(engine).asText();
  }
}
