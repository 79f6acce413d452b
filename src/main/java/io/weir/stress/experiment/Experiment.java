package io.weir.stress.experiment;

import io.weir.host.HostProbe;
import io.weir.jvm.Workers;
import io.weir.procfs.Procfs;
import io.weir.run.FailureWords;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.experiment.StressException.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;

/**
 * One run of any kind: checks, claims its directory, looks how quiet the machine is, and runs one
 * trial after the other.
 *
 * <p>The result is written after each trial, so the trials that have ended are safe whatever
 * happens later. Until the run has ended, the file says that it was interrupted.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> JVMs,
 * servers, copies of indexes and scratch files are gone when {@link #run} returns or throws.
 *
 * <p><b>Failure:</b> {@link StressException} for a run that cannot begin or continue. A trial that
 * fails is in the result, and the next one runs.
 *
 * @param <F> what {@link #forecast} says
 */
public final class Experiment<F> {

  /**
   * What the result says about a run besides its plan.
   *
   * @param version of Weir
   * @param command as the user gave it
   */
  public record Origin(String version, List<String> command) {}

  /** How long a canary takes; tests of the command have a shorter one, or none. */
  public static final Duration CANARY =
      Duration.ofMillis(Long.getLong("io.weir.canary.millis", 5000));

  private final RunKind.Planned<F> planned;
  private final Origin origin;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final Duration canary;
  private final RunFiles files;
  private final Workers workers;
  private final RunKind<F> kind;
  private final List<Runnable> atCancel = new CopyOnWriteArrayList<>();
  private final Instant startedAt = Instant.now();
  private final List<Part> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();

  /**
   * A run that has not begun.
   *
   * @param procfs where the machine is described
   * @param canary how long it looks what the machine does before each trial; zero for not at all
   */
  public Experiment(
      RunKind.Planned<F> planned,
      Origin origin,
      Procfs procfs,
      ExperimentListener listener,
      Duration canary) {
    this.canary = canary;
    this.planned = planned;
    this.origin = origin;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(planned.out());
    this.workers = new Workers(listener::progress, files.scratch(), planned.environment());
    this.kind =
        planned
            .on()
            .apply(new RunKind.Ground(files, workers, listener, procfs, this::warn, atCancel::add));
  }

  /** Where the result is. */
  public RunFiles files() {
    return files;
  }

  /** Ends the run early; {@link #run} then returns the results until now. */
  public void cancel() {
    workers.stop();
    atCancel.forEach(Runnable::run);
  }

  private boolean cancelled() {
    return workers.stopped();
  }

  /** Checks all that {@link #run} checks before it begins, and creates nothing. */
  public F forecast() throws StressException, IOException, InterruptedException {
    Preflight.requireEmptyOut(planned.out());
    return kind.check();
  }

  /** Runs all of it. */
  public Run run() throws StressException, IOException, InterruptedException {
    forecast();
    RunDirectory claimed = RunDirectory.claim(planned.out());
    try (claimed;
        kind) {
      try {
        listener.progress("machine", "measuring background noise", OptionalDouble.empty(), "");
        Noise noise = Preflight.requireQuiet(planned.strict(), procfs);
        kind.make();
        runTrials(noise);
        return write(noise, cancelled());
      } catch (IOException e) { // before anything is deleted, and the disk no longer full
        StressException.throwIfFull(e, planned.out(), kind.place());
        throw e;
      }
    }
  }

  private void runTrials(Noise noise) throws StressException, IOException, InterruptedException {
    for (Optional<RunKind.Trial> next = next(); next.isPresent(); next = next()) {
      Values before = canary();
      if (cancelled()) {
        return;
      }
      Part ended = next.get().run();
      Part result = ended.isMeasured() ? ended.with(before) : ended;
      if (result.status() == Status.INTERRUPTED && !cancelled()) {
        warn(
            new RunWarning(
                nameOf(result) + " was stopped before its end",
                "another process stopped its JVM",
                "run it again"));
      }
      results.add(result);
      listener.ended(planned.kind(), result);
      Run soFar = write(noise, true); // what remains if this process dies
      if (planned.strict() && !soFar.cacheAsAsked()) {
        return; // the arms that have run are kept; the others would not be comparable
      }
    }
  }

  /** What the machine does now; without figures where that cannot be measured. */
  private Values canary() throws StressException, InterruptedException {
    if (canary.isZero()) {
      return Values.NONE;
    }
    listener.progress(
        "machine", "reads, syncs and sums before the next arm", OptionalDouble.empty(), "");
    try {
      return Canary.measure(kind.place(), canary, workers::stopped);
    } catch (IOException e) {
      StressException.throwIfFull(e, kind.place());
      RunWarning unmeasured =
          new RunWarning(
              "what the machine did before an arm was not measured: " + FailureWords.of(e),
              "no file could be written beside the index",
              "let this user write there, or look at the noise of each arm");
      if (!warnings.contains(unmeasured)) {
        warn(unmeasured);
      }
      return Values.NONE;
    }
  }

  private Optional<RunKind.Trial> next() throws IOException {
    return cancelled() ? Optional.empty() : kind.next(List.copyOf(results));
  }

  private static String nameOf(Part result) {
    return (result.kind() == Part.Kind.CELL ? "the cell " : "arm ") + result.name();
  }

  private Run write(Noise noise, boolean interrupted) throws IOException {
    RunKind.Account account = kind.account(List.copyOf(results), interrupted);
    Run run =
        new Run(
            Run.SCHEMA_VERSION,
            planned.kind(),
            origin.version(),
            Version.LATEST.toString(),
            origin.command(),
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(Preflight.nearestExisting(kind.place()), procfs)),
            account.workload(),
            Values.builder().put(noise.values()).put(account.values()).build(),
            account.parts(),
            Stream.concat(warnings.stream(), account.warnings().stream()).toList(),
            noise.findings(),
            account.slos(),
            account.sweep());
    files.write(run);
    return run;
  }

  private void warn(RunWarning warning) {
    warnings.add(warning);
    listener.warning(warning);
  }

  /**
   * The directory of a run while it runs. Its directory of temporary files ({@link
   * RunFiles#scratch}) is the claim that keeps another run out.
   *
   * <p><b>Ownership:</b> {@link #close} deletes the temporary files, and what is still empty of the
   * directories that were made.
   */
  static final class RunDirectory implements AutoCloseable {

    private final FreshDirectory made;
    private final Path scratch;

    private RunDirectory(FreshDirectory made, Path scratch) {
      this.made = made;
      this.scratch = scratch;
    }

    /**
     * Makes the directory and claims it.
     *
     * @throws StressException if it cannot be made, or another run has it
     */
    static RunDirectory claim(Path out) throws StressException, IOException {
      FreshDirectory made = FreshDirectory.make("--out", out);
      RunFiles files = new RunFiles(out);
      Path scratch = files.scratch();
      try {
        Files.createDirectory(scratch);
        Files.createFile(files.claim());
        return new RunDirectory(made, scratch);
      } catch (FileAlreadyExistsException e) {
        throw new StressException(Kind.USAGE, "--out is in use by another run: " + out);
      } catch (IOException e) {
        IndexCopy.deleteTree(scratch);
        made.close();
        throw new StressException(
            Kind.USAGE,
            "--out must be a directory that can be written: "
                + out
                + " ("
                + FailureWords.of(e)
                + ")");
      }
    }

    @Override
    public void close() throws IOException {
      IndexCopy.deleteTree(scratch);
      made.close();
    }
  }
}
