package io.weir.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SweepResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A run of which every arm has warned of the same. */
public final class NoisyRun {

  private NoisyRun() {}

  public static RunResult of(RunResult run, SweepResult sweep) {
    JsonNode tree = RunJson.tree(run);
    for (JsonNode arm : tree.get("arms")) {
      JsonNode warnings = RunJson.tree(List.of(new RunWarning(arm.get("name").asText(), "c", "r")));
      ((ObjectNode) arm).set("warnings", warnings);
    }
    ((ObjectNode) tree).set("sweep", sweep == null ? null : RunJson.tree(sweep));
    try {
      return RunJson.ofLine(tree.toString(), RunResult.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
