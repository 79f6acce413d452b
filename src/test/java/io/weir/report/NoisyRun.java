package io.weir.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/** A run whose arms warn of something. */
public final class NoisyRun {

  private NoisyRun() {}

  /** The run with the warnings of each arm. */
  public static RunResult of(RunResult run, Function<ArmResult, List<RunWarning>> warnings) {
    JsonNode tree = RunJson.tree(run);
    for (int i = 0; i < run.arms().size(); i++) {
      ((ObjectNode) tree.get("arms").get(i))
          .set("warnings", RunJson.tree(warnings.apply(run.arms().get(i))));
    }
    try {
      return RunJson.ofLine(tree.toString(), RunResult.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
