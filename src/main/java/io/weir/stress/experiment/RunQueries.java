package io.weir.stress.experiment;

import io.weir.run.HeaderFigures;
import io.weir.run.Values;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.queries.MalformedQueriesException;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The queries of a run: settled once, before the first arm, in one file that every arm reads.
 *
 * <p><b>Threads:</b> one.
 */
public final class RunQueries {

  private final QuerySource source;
  private final boolean vectors;
  private final boolean asWritten;
  private Optional<QueryFile> given = Optional.empty(); // set by check; empty to draw them
  private Values settled = Values.NONE;

  /**
   * Queries that are not settled yet.
   *
   * @param plan says which, and whether documents have vectors
   * @param asWritten for a service whose syntax is not ours: each line is sent as it is written
   */
  public RunQueries(StressPlan plan, boolean asWritten) {
    this.source = plan.queries();
    this.vectors = plan.documents().vectors().isPresent();
    this.asWritten = asWritten;
  }

  /** Reads and checks a file that the user gave, so that a bad one fails the run early. */
  public void check() throws StressException {
    if (source.file().isEmpty()) {
      return;
    }
    Path path = source.file().get();
    try {
      QueryFile file = QueryFile.read(path);
      given = Optional.of(file);
      count(file);
      requireVectors(file);
    } catch (MalformedQueriesException e) {
      throw new StressException(Kind.USAGE, e.getMessage());
    } catch (IOException e) {
      throw new StressException(
          Kind.USAGE,
          "--queries must be %s that can be read: %s (%s)".formatted(QuerySource.FORMS, path, e));
    }
  }

  /** Refuses queries that need vectors, if documents have none. */
  private void requireVectors(QueryFile file) throws MalformedQueriesException, StressException {
    if (vectors || asWritten) {
      return;
    }
    Optional<SearchQuery> first =
        file.queries().stream().filter(query -> query.kind() != SearchQuery.Kind.TEXT).findFirst();
    if (first.isPresent()) {
      throw new StressException(
          Kind.USAGE,
          "--queries %s needs --vectors, because without it no document has one: '%s'"
              .formatted(source, first.get().text()));
    }
  }

  /** How many there are, which must be one at least where the user gave them. */
  private long count(QueryFile file) throws MalformedQueriesException {
    if (given.isEmpty()) {
      return file.count();
    }
    return asWritten ? file.requireSomeLines() : file.requireSome();
  }

  /** The bytes of the file that the user gave; empty when they are to be drawn. */
  public Optional<byte[]> given() {
    return given.map(QueryFile::bytes);
  }

  /** Draws queries when the user gave none. */
  public interface Drawing {

    /**
     * Writes them to a file.
     *
     * @return false when the run was stopped before
     */
    boolean draw(Path file) throws StressException, IOException, InterruptedException;
  }

  /**
   * Writes them to their file in the run directory: those that were given, byte for byte, or some
   * that are drawn.
   *
   * @return false when the run was stopped before
   */
  public boolean settle(RunKind.Ground ground, Drawing drawing)
      throws StressException, IOException, InterruptedException {
    Path fresh = ground.workers().scratch().resolve("queries.txt");
    if (given.isPresent()) {
      Files.write(fresh, given.get().bytes());
    } else if (!drawing.draw(fresh)) {
      return false;
    }
    QueryFile file = QueryFile.read(fresh);
    settled =
        Values.builder()
            .put(HeaderFigures.QUERIES_KIND, source.kind().label())
            .put(HeaderFigures.QUERIES_COUNT, count(file))
            .put(HeaderFigures.QUERIES_SHA256, sha256(file.bytes()))
            .build();
    Files.move(fresh, ground.files().queriesText(), StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  /** What is known of them; nothing before they are settled. */
  public Values values() {
    return settled;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
