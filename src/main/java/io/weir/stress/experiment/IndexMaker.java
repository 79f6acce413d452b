package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunWarning;
import io.weir.stress.worker.BuildResult;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Has a worker make the indexes that arms start from.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> what was begun of an index is deleted.
 */
final class IndexMaker {

  private final StressPlan plan;
  private final DocumentSource source;
  private final Path scratch;
  private final Workers workers;
  private final Consumer<RunWarning> warnings;

  IndexMaker(
      StressPlan plan,
      DocumentSource source,
      Path scratch,
      Workers workers,
      Consumer<RunWarning> warnings) {
    this.plan = plan;
    this.source = source;
    this.scratch = scratch;
    this.workers = workers;
    this.warnings = warnings;
  }

  /**
   * Makes the index of {@code layout}: rewrites one that is there, or builds it.
   *
   * @param there how many documents that one holds; 0 when there is none
   * @return how many it holds; 0 when the run was stopped
   */
  long make(IndexLayout layout, SourceIndexes indexes, long there)
      throws StressException, IOException, InterruptedException {
    Path index = indexes.path(layout);
    long expected = there > 0 ? there : expectedDocuments();
    Path answer = scratch.resolve("build.json");
    Files.deleteIfExists(answer);
    WorkerTask task =
        new WorkerTask(
            new WorkerTask.Build(plan.documents(), layout, expected, index, indexes.origin()),
            null,
            null,
            Telemetry.NONE,
            answer);
    FreshDirectory fresh = Preflight.make("--index", index); // or empty, as was checked
    boolean built = false;
    try {
      ArmFailure failure = workers.run("index", null, List.of(), task, scratch);
      if (failure != null) {
        throw new StressException(
            Kind.BROKEN,
            "building the index failed, %s:%n%s"
                .formatted(failure.reason(), String.join("\n", failure.lastLines())));
      }
      BuildResult result = RunJson.read(answer, BuildResult.class);
      if (result.problems() > 0) {
        warnings.accept(
            new RunWarning(
                "%d %s malformed; the first: %s"
                    .formatted(
                        result.problems(),
                        result.problems() == 1
                            ? "place in the documents is"
                            : "places in the documents are",
                        String.join("; ", result.examples())),
                "damaged, truncated or unreadable input",
                "look at the places named; everything else was indexed"));
      }
      if (result.documents() == 0 && !workers.stopped()) {
        throw new StressException(
            Kind.USAGE,
            "--docs must hold at least 1 document that can be read: " + plan.documents().source());
      }
      built = result.documents() > 0;
      return result.documents();
    } finally {
      try {
        if (!built) {
          discardUnfinished(index);
        }
      } finally {
        fresh.close();
      }
    }
  }

  /**
   * Deletes what an unfinished build left. Our worker has ended, so if the index is locked another
   * run builds it; then that is what the user is told, and nothing is deleted.
   */
  static void discardUnfinished(Path index) throws StressException, IOException {
    IndexLock lock = IndexLock.hold(index);
    try {
      if (!IndexLock.holdsIndex(index)) {
        IndexCopy.deleteFiles(index);
      }
    } finally {
      lock.close();
    }
  }

  private long expectedDocuments() {
    long wanted = plan.documents().maxDocuments();
    long there = source.documentCount().orElse(0);
    return wanted == 0 ? there : there == 0 ? wanted : Math.min(wanted, there);
  }
}
