package io.weir.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/** A run whose arms warn of something. */
public final class NoisyRun {

  private NoisyRun() {}

  /** The run with the warnings of each arm. */
  public static Run of(Run run, Function<Part, List<RunWarning>> warnings) {
    JsonNode tree = RunJson.tree(run);
    for (int i = 0; i < run.parts().size(); i++) {
      ((ObjectNode) tree.get("parts").get(i))
          .set("warnings", RunJson.tree(warnings.apply(run.parts().get(i))));
    }
    try {
      return RunJson.ofLine(tree.toString(), Run.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
