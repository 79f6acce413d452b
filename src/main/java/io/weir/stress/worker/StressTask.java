package io.weir.stress.worker;

import io.weir.run.Part;
import io.weir.run.RunWarning;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What one worker of {@code weir stress} is to do, and what answers it. */
public sealed interface StressTask {

  /**
   * Builds an index from documents; an {@link IndexMade} answers it.
   *
   * @param expectedDocuments how many there will be, for progress; 0 if unknown
   */
  record BuildIndex(Documents documents, IndexLayout layout, long expectedDocuments, Path index)
      implements StressTask {}

  /**
   * Rewrites an index in another layout; an {@link IndexMade} answers it.
   *
   * @param from the index to rewrite
   * @param expectedDocuments how many it holds, for progress
   */
  record RewriteIndex(Path from, IndexLayout layout, long expectedDocuments, Path index)
      implements StressTask {}

  /**
   * Draws queries from an index; a {@link QueriesDrawn} answers it.
   *
   * @param source what to draw, not {@link QuerySource.Kind#FILE}
   * @param file where to leave them
   */
  record DrawQueries(QuerySource source, long seed, Path index, Path file) implements StressTask {}

  /**
   * Runs an arm; a {@link Part} answers it.
   *
   * @param telemetry how other tools can observe the arm
   */
  record RunArm(ArmRun.Setup arm, Telemetry telemetry) implements StressTask {}

  /** Builds an index in an engine; an {@link IndexMade} answers it. */
  record BuildInEngine(EngineBuild.Setup build) implements StressTask {}

  /** Runs an arm on an engine; a {@link Part} answers it. */
  record RunEngineArm(EngineArmRun.Setup arm) implements StressTask {}

  /**
   * An index was built or rewritten.
   *
   * @param documents how many it holds; 0 if there were none, or the worker was stopped
   * @param problems how many inputs could not be read as a document
   * @param examples the first of them, as file, line and reason
   * @param stopped whether the worker was stopped before the end
   */
  record IndexMade(long documents, long problems, List<String> examples, boolean stopped) {

    /** What a reader of the run must know of the documents; empty if all could be read. */
    public Optional<RunWarning> warning() {
      return problems == 0
          ? Optional.empty()
          : Optional.of(
              new RunWarning(
                  "%d %s malformed; the first: %s"
                      .formatted(
                          problems,
                          problems == 1
                              ? "place in the documents is"
                              : "places in the documents are",
                          String.join("; ", examples)),
                  "damaged, truncated or unreadable input",
                  "look at the places named; everything else was indexed"));
    }
  }

  /**
   * Queries were drawn.
   *
   * @param complete false if the worker was stopped before all were drawn; then there is no file
   */
  record QueriesDrawn(boolean complete) {}
}
