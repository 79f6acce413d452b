package io.weir.stress.experiment;

import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.queries.MalformedQueriesException;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What all arms of a run search for: settled once, before the first of them, and left in one file
 * that every arm reads.
 *
 * <p><b>Threads:</b> one.
 */
final class RunQueries {

  private final QuerySource source;
  private final QueryFile given; // null when they are to be drawn

  private RunQueries(QuerySource source, QueryFile given) {
    this.source = source;
    this.given = given;
  }

  /** Reads and checks a file that the user gave, so that a bad one costs nothing. */
  static RunQueries check(QuerySource source) throws StressException {
    if (source.kind() != QuerySource.Kind.FILE) {
      return new RunQueries(source, null);
    }
    try {
      QueryFile file = QueryFile.read(source.file());
      file.requireSome();
      return new RunQueries(source, file);
    } catch (MalformedQueriesException e) {
      throw new StressException(Kind.USAGE, e.getMessage());
    } catch (IOException e) {
      throw new StressException(
          Kind.USAGE,
          "--queries must be terms, mixed or a file that can be read: %s (%s)"
              .formatted(source.file(), e));
    }
  }

  /**
   * Leaves them in {@code text}: as they were given, to the byte, or drawn from {@code index} by a
   * worker.
   *
   * @return null when the run was stopped meanwhile
   */
  QueriesResult settle(long seed, Path index, Path scratch, Workers workers, Path text)
      throws StressException, IOException, InterruptedException {
    Path fresh = scratch.resolve("queries.txt");
    if (given != null) {
      Files.write(fresh, given.bytes());
    } else {
      WorkerTask task =
          new WorkerTask(
              null, new WorkerTask.Draw(source.kind(), seed, index), null, Telemetry.NONE, fresh);
      ArmFailure failure = workers.run("queries", null, List.of(), task, scratch);
      if (workers.stopped()) {
        return null;
      }
      if (failure != null) {
        throw new StressException(
            Kind.BROKEN,
            "drawing queries failed, %s:%n%s"
                .formatted(failure.reason(), String.join("\n", failure.lastLines())));
      }
    }
    QueryFile settled = given != null ? given : QueryFile.read(fresh);
    QueriesResult result =
        new QueriesResult(source.kind().label(), settled.count(), sha256(settled.bytes()));
    Files.move(fresh, text, StandardCopyOption.ATOMIC_MOVE);
    return result;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
