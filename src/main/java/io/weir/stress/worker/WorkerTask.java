package io.weir.stress.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.engine.EngineArm;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;

/** What one worker JVM is to do. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "task")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerTask.BuildIndex.class, name = "build-index"),
  @JsonSubTypes.Type(value = WorkerTask.RewriteIndex.class, name = "rewrite-index"),
  @JsonSubTypes.Type(value = WorkerTask.DrawQueries.class, name = "draw-queries"),
  @JsonSubTypes.Type(value = WorkerTask.RunArm.class, name = "run-arm"),
  @JsonSubTypes.Type(value = WorkerTask.BuildInEngine.class, name = "build-in-engine"),
  @JsonSubTypes.Type(value = WorkerTask.RunEngineArm.class, name = "run-engine-arm")
})
public sealed interface WorkerTask {

  /**
   * Builds an index from documents; a {@link WorkerAnswer.IndexMade} answers it.
   *
   * @param expectedDocuments how many there will be, for progress; 0 if unknown
   */
  record BuildIndex(Documents documents, IndexLayout layout, long expectedDocuments, Path index)
      implements WorkerTask {}

  /**
   * Rewrites an index in another layout; a {@link WorkerAnswer.IndexMade} answers it.
   *
   * @param from the index to rewrite
   * @param expectedDocuments how many it holds, for progress
   */
  record RewriteIndex(Path from, IndexLayout layout, long expectedDocuments, Path index)
      implements WorkerTask {}

  /**
   * Draws queries from an index; a {@link WorkerAnswer.QueriesDrawn} answers it.
   *
   * @param source what to draw, not {@link QuerySource.Kind#FILE}
   * @param file where to leave them
   */
  record DrawQueries(QuerySource source, long seed, Path index, Path file) implements WorkerTask {}

  /**
   * Runs an arm; a {@link WorkerAnswer.ArmEnded} answers it.
   *
   * @param telemetry how other tools can observe the arm
   */
  record RunArm(LuceneArm.Setup arm, Telemetry telemetry) implements WorkerTask {}

  /** Builds an index in an engine; a {@link WorkerAnswer.IndexMade} answers it. */
  record BuildInEngine(EngineBuild.Setup build) implements WorkerTask {}

  /** Runs an arm on an engine; a {@link WorkerAnswer.ArmEnded} answers it. */
  record RunEngineArm(EngineArm.Setup arm) implements WorkerTask {}
}
