package io.weir.stress.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;

/** What one worker JVM is to do. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "task")
@JsonSubTypes({
  @JsonSubTypes.Type(value = StressTask.BuildIndex.class, name = "build-index"),
  @JsonSubTypes.Type(value = StressTask.RewriteIndex.class, name = "rewrite-index"),
  @JsonSubTypes.Type(value = StressTask.DrawQueries.class, name = "draw-queries"),
  @JsonSubTypes.Type(value = StressTask.RunArm.class, name = "run-arm"),
  @JsonSubTypes.Type(value = StressTask.BuildInEngine.class, name = "build-in-engine"),
  @JsonSubTypes.Type(value = StressTask.RunEngineArm.class, name = "run-engine-arm")
})
public sealed interface StressTask {

  /**
   * Builds an index from documents; a {@link WorkerAnswer.IndexMade} answers it.
   *
   * @param expectedDocuments how many there will be, for progress; 0 if unknown
   */
  record BuildIndex(Documents documents, IndexLayout layout, long expectedDocuments, Path index)
      implements StressTask {}

  /**
   * Rewrites an index in another layout; a {@link WorkerAnswer.IndexMade} answers it.
   *
   * @param from the index to rewrite
   * @param expectedDocuments how many it holds, for progress
   */
  record RewriteIndex(Path from, IndexLayout layout, long expectedDocuments, Path index)
      implements StressTask {}

  /**
   * Draws queries from an index; a {@link WorkerAnswer.QueriesDrawn} answers it.
   *
   * @param source what to draw, not {@link QuerySource.Kind#FILE}
   * @param file where to leave them
   */
  record DrawQueries(QuerySource source, long seed, Path index, Path file) implements StressTask {}

  /**
   * Runs an arm; a {@link WorkerAnswer.ArmEnded} answers it.
   *
   * @param telemetry how other tools can observe the arm
   */
  record RunArm(ArmRun.Setup arm, Telemetry telemetry) implements StressTask {}

  /** Builds an index in an engine; a {@link WorkerAnswer.IndexMade} answers it. */
  record BuildInEngine(EngineBuild.Setup build) implements StressTask {}

  /** Runs an arm on an engine; a {@link WorkerAnswer.ArmEnded} answers it. */
  record RunEngineArm(EngineArmRun.Setup arm) implements StressTask {}
}
