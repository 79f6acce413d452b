package io.weir.stress.experiment;

import io.weir.jvm.Workers;
import io.weir.procfs.Procfs;
import io.weir.run.Noise;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a run stands on that has arms of another kind than {@link Experiment}'s: an empty run
 * directory, a look at the machine, queries, indexes of Lucene's own, and a copy of one for each
 * arm.
 *
 * <p><b>Threads:</b> one; {@link #stop} from any. <b>Ownership:</b> {@link #close} deletes copies,
 * scratch files, and indexes that only this run needs. <b>Failure:</b> {@link StressException}.
 */
public final class RunGround implements Closeable {

  private final StressPlan plan;
  private final Procfs procfs;
  private final Workers workers;
  private final RunFiles files;
  private final ExperimentListener listener;
  private final LuceneSource source;
  private Optional<RunQueries> queries = Optional.empty();
  private Optional<RunDirectory> out = Optional.empty();
  private boolean indexed;

  /**
   * Ground of which nothing exists yet.
   *
   * @param plan with the arms whose indexes are needed
   * @param listener follows the making of indexes
   * @param warnings hears what a reader of the result must know
   */
  public RunGround(
      StressPlan plan, Procfs procfs, ExperimentListener listener, Consumer<RunWarning> warnings) {
    this.plan = plan;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(plan.out());
    this.workers = new Workers(listener::progress, files.scratch(), Map.of());
    this.source =
        new LuceneSource(plan, procfs, new RunContext(workers, files, listener, warnings));
  }

  /** Refuses what cannot work with indexes of Lucene's own; creates nothing. */
  public RunForecast checkIndexes() throws StressException, IOException {
    Preflight.requireEmptyOut(plan.out());
    queries = Optional.of(RunQueries.check(plan.queries()));
    source.check(Preflight.requireDocuments(plan.documents(), listener));
    indexed = true;
    return source.forecast();
  }

  /** Refuses what cannot work with a service of the user's own, but asks it nothing. */
  public void checkTarget() throws StressException {
    Preflight.requireEmptyOut(plan.out());
    queries = Optional.of(RunQueries.checkAsWritten(plan.queries()));
  }

  /** The file of queries that the user gave, if any; after a check. */
  public Optional<byte[]> givenQueries() {
    return queries.orElseThrow().given();
  }

  /** Makes the run directory, and looks how quiet the machine is. */
  public Noise begin() throws StressException, IOException {
    out = Optional.of(RunDirectory.claim(plan.out()));
    return Preflight.requireQuiet(plan, procfs);
  }

  /**
   * Makes the indexes that arms need, and keeps other processes from changing them.
   *
   * @return how many documents they hold; 0 when the run was stopped before
   */
  public long makeIndexes() throws StressException, IOException, InterruptedException {
    return source.make();
  }

  /** Writes the queries of the run, drawn from the index or given; empty when it was stopped. */
  public Optional<Values> settleQueries()
      throws StressException, IOException, InterruptedException {
    return settle(source::draw);
  }

  /** Writes the queries of the run, which are {@code drawn} if the user gave none. */
  public Optional<Values> settleQueries(byte[] drawn)
      throws StressException, IOException, InterruptedException {
    return settle(
        file -> {
          Files.write(file, drawn);
          return true;
        });
  }

  private Optional<Values> settle(RunQueries.Drawing drawing)
      throws StressException, IOException, InterruptedException {
    return queries.orElseThrow().settle(workers, files.queriesText(), drawing);
  }

  /** Of the indexes, for the record. */
  public Map<String, String> facts() throws IOException {
    return source.facts();
  }

  /** Where the index is, or where the run is if it has none. */
  public Path place() {
    return Preflight.nearestExisting(indexed ? source.place() : plan.out());
  }

  /** A directory for files that only this run needs. */
  public Path scratch() {
    return workers.scratch();
  }

  /** Queries, one a line. */
  public Path queriesText() {
    return files.queriesText();
  }

  /** An arm's copy of its index; closing deletes it. */
  public record Copy(Path index, Closeable files) implements Closeable {

    @Override
    public void close() throws IOException {
      files.close();
    }
  }

  /**
   * Copies the index that an arm starts from.
   *
   * @param number of the copy, another one for each
   */
  public Copy copy(Arm arm, int number) throws IOException {
    Path index = source.index(IndexLayout.of(arm.settings()));
    IndexCopy copy =
        IndexCopy.of(index, IndexCopy.directoryOf(index, procfs).resolve(Integer.toString(number)));
    return new Copy(copy.path().toAbsolutePath(), copy::close);
  }

  /** Ends the making of indexes and queries early. */
  public void stop() {
    workers.stop();
  }

  @Override
  public void close() throws IOException {
    if (indexed) {
      source.close();
    }
    if (out.isPresent()) {
      out.get().close();
    }
  }
}
