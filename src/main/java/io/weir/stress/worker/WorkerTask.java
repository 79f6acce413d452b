package io.weir.stress.worker;

import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;

/**
 * What one worker JVM is to do; exactly one of {@code build}, {@code draw} and {@code arm} is set.
 *
 * @param build build an index, answered by a {@link BuildResult}
 * @param draw draw queries, answered by a file of them
 * @param arm run an arm, answered by an {@link io.weir.stress.result.ArmResult}
 * @param telemetry how the arm shows itself to other tools
 * @param result where the worker leaves its answer, as JSON if it is a record
 */
public record WorkerTask(
    Build build, Draw draw, ArmRun.Setup arm, Telemetry telemetry, Path result) {

  /**
   * An index to build, or to rewrite from another.
   *
   * @param layout what the index is to be like
   * @param from the index to rewrite, which holds {@code documents}; null to build
   * @param expectedDocuments how many there will be, for showing progress; 0 when not known
   */
  public record Build(
      Documents documents, IndexLayout layout, long expectedDocuments, Path index, Path from) {}

  /**
   * Queries to draw from an index.
   *
   * @param kind what to draw, not {@link QuerySource.Kind#FILE}
   */
  public record Draw(QuerySource.Kind kind, long seed, Path index) {}
}
