package io.weir.indexing.cell;

import io.weir.corpus.ReadProblems;
import io.weir.indexing.cell.CellMeters.Counter;
import io.weir.indexing.cell.CellMeters.Sample;
import io.weir.indexing.plan.CellKey;
import io.weir.indexing.plan.IndexingPlan;
import io.weir.indexing.steady.EvenRates;
import io.weir.jvm.Worker;
import io.weir.procfs.Procfs;
import io.weir.report.words.Figures;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.FailureWords;
import io.weir.run.HostNoise;
import io.weir.run.Part;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.arm.ArmListener;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.noise.HostCounters;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * One cell, in a JVM of its own: loads its documents, measures what they can feed, indexes them
 * without end, stops, waits until the index is whole, and returns what it measured.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #stop} from any. <b>Failure:</b> {@link #run} throws
 * what an indexing thread threw, or an {@link IOException} when the disk is nearly full.
 */
public final class CellRun {

  /** A source that is not so many times as fast as the cell may hold it back. */
  private static final double LEAST_SOURCE_FACTOR = 5;

  /** A disk that fills up fails; this much is left to other programs. */
  private static final long LEAST_FREE_BYTES = 512_000_000;

  private static final long SOURCE_NANOS = 1_000_000_000;
  private static final long MOST_STEP_NANOS = 200_000_000;
  private static final long LEAST_STEP_NANOS = 20_000_000;
  private static final int STEPS = 150;
  private static final long TELL_NANOS = 1_000_000_000;

  /** A text takes its bytes and those of its objects, or twice that beyond Latin-1. */
  private static final int SOURCE_FACTOR = 2;

  /** Lucene stalls indexing at twice its buffer. */
  private static final int BUFFER_FACTOR = 2;

  /** For merges, readers, classes and garbage. */
  private static final long REST_MEBIBYTES = 512;

  /**
   * What a cell's JVM is to do; a {@link Part} answers it.
   *
   * @param sourceBytes how much text to keep in memory
   * @param duration how long to index at least
   * @param leastFlushes flushes that must have happened before the cell ends in time
   * @param index an empty directory for the index
   * @param series the file for samples
   */
  public record Task(
      CellKey cell,
      int round,
      ArmSettings settings,
      Documents documents,
      long sourceBytes,
      Duration duration,
      int leastFlushes,
      Path index,
      Path series) {}

  private final Task task;
  private final NanoClock clock;
  private final ArmListener listener;
  private final LongSupplier freeBytes;
  private final long stepNanos;
  private final List<RunWarning> warnings = new ArrayList<>();
  private volatile boolean stopped;

  CellRun(Task task, NanoClock clock, ArmListener listener) {
    this(task, clock, listener, () -> task.index().toFile().getUsableSpace());
  }

  CellRun(Task task, NanoClock clock, ArmListener listener, LongSupplier freeBytes) {
    this.task = task;
    this.clock = clock;
    this.listener = listener;
    this.freeBytes = freeBytes;
    this.stepNanos =
        Math.clamp(task.duration().toNanos() / STEPS, LEAST_STEP_NANOS, MOST_STEP_NANOS);
  }

  /** The entry of the cell's JVM. */
  public static void main(String[] arguments) {
    Worker.run(
        Task.class,
        (task, worker) -> {
          worker.writesTo(task.index(), task.series());
          CellRun run = new CellRun(task, NanoClock.SYSTEM, worker::progress);
          worker.onStop(run::stop);
          return run.run();
        });
  }

  /**
   * Arguments for the heap of each cell's JVM. All cells of a run have the same, so that collectors
   * do the same work for the same garbage: enough for the largest buffer, and for documents in
   * memory.
   */
  public static List<String> heap(IndexingPlan plan) {
    long buffer = plan.ramBuffers().stream().mapToLong(bytes -> bytes).max().orElseThrow();
    long mebibytes =
        REST_MEBIBYTES + ((BUFFER_FACTOR * buffer + SOURCE_FACTOR * plan.sourceBytes()) >> 20);
    return List.of("-Xms" + mebibytes + "m", "-Xmx" + mebibytes + "m");
  }

  /** Ends the cell early; {@link #run} then returns what it has measured until now. */
  void stop() {
    stopped = true;
  }

  /** Runs all of it. */
  Part run() throws IOException, InterruptedException {
    listener.progress("loading documents", OptionalDouble.empty(), "");
    MemoryDocuments documents = documents();
    Values source = sourceRate(documents);
    Files.createDirectories(task.index());
    try (CellIndex index =
            new CellIndex(task.index(), task.settings(), task.cell().ramBufferBytes());
        ArmCsv lines =
            new ArmCsv(
                Files.newBufferedWriter(task.series()),
                task.cell().title(),
                task.round(),
                CellMeters.COLUMNS)) {
      HostCounters before = HostCounters.read(Procfs.SYSTEM, clock.nanoTime());
      Feeders feeders =
          Feeders.of(
              "index",
              task.cell().threads(),
              task.documents().seed(),
              documents,
              index.sink(
                  task.settings().get(ArmSetting.MODE),
                  documents.count(),
                  task.documents().seed()));
      CellMeters meters = new CellMeters(clock, index, feeders, lines);
      Sample first = meters.sample();
      feeders.start();
      try {
        feed(first, meters, feeders);
      } finally {
        feeders.stop();
      }
      feeders.throwFailure();
      meters.sample();
      int fed = meters.samples().size() - 1;
      HostNoise noise = HostCounters.read(Procfs.SYSTEM, clock.nanoTime()).since(before);
      boolean finished = drain(index, meters);
      warnings.addAll(ofCap(index.capTrouble()));
      return result(source, meters.samples(), fed, finished, noise);
    }
  }

  private MemoryDocuments documents() throws IOException {
    ReadProblems problems = new ReadProblems();
    MemoryDocuments documents =
        MemoryDocuments.load(task.documents(), task.sourceBytes(), problems, () -> stopped);
    if (problems.malformedCount() > 0) {
      warnings.add(
          new RunWarning(
              problems.malformedCount()
                  + " places in the documents are malformed; the first: "
                  + String.join("; ", problems.first()),
              "damaged, truncated or unreadable input",
              "look at the places named; everything else was indexed"));
    }
    return documents;
  }

  /** What the threads draw and build in a second when no writer takes it. */
  private Values sourceRate(MemoryDocuments documents) throws IOException, InterruptedException {
    listener.progress("measuring the source alone", OptionalDouble.empty(), "");
    LongAdder fields = new LongAdder(); // built documents are used, or they would not be built
    long startNanos = clock.nanoTime();
    Feeders feeders =
        Feeders.of(
                "source",
                task.cell().threads(),
                task.documents().seed(),
                documents,
                (number, text, random) -> {
                  String key = DocumentKeys.of(number, task.documents().seed());
                  fields.add(text.under(key).toDocument().getFields().size());
                })
            .start();
    long endNanos = startNanos + SOURCE_NANOS;
    while (!stopped && !feeders.failed() && clock.nanoTime() < endNanos) {
      clock.parkNanos(this, Math.min(endNanos - clock.nanoTime(), MOST_STEP_NANOS));
    }
    feeders.stop();
    feeders.throwFailure();
    double seconds = (clock.nanoTime() - startNanos) / 1e9;
    return Values.builder()
        .put(CellFigures.SOURCE_DOCUMENTS, (long) documents.count())
        .put(CellFigures.SOURCE_TEXT, documents.textBytes())
        .put(CellFigures.SOURCE_DOCUMENTS_PER_SECOND, feeders.documents() / seconds)
        .put(CellFigures.SOURCE_RATE, EvenRates.toGigabytesPerHour(feeders.textBytes() / seconds))
        .build();
  }

  /** Samples until the cell has lasted long enough and has flushed often enough. */
  private void feed(Sample first, CellMeters meters, Feeders feeders) throws IOException {
    long durationNanos = task.duration().toNanos();
    long toldNanos = first.nanos();
    for (Sample last = first; !stopped && !feeders.failed(); last = meters.sample()) {
      long passedNanos = last.nanos() - first.nanos();
      if (passedNanos >= durationNanos
          && (last.get(Counter.FLUSHES) >= task.leastFlushes()
              || passedNanos >= IndexingPlan.MOST_TIMES * durationNanos)) {
        return;
      }
      if (last.nanos() - toldNanos >= TELL_NANOS) {
        toldNanos = last.nanos();
        requireSpace();
        tell(last, passedNanos, durationNanos);
      }
      park(last.nanos() + stepNanos);
    }
  }

  private boolean drain(CellIndex index, CellMeters meters) throws IOException {
    if (stopped) {
      return false;
    }
    listener.progress("finishing merges", OptionalDouble.empty(), "");
    boolean finished =
        index.finish(
            clock,
            () -> {
              if (clock.nanoTime() - meters.samples().getLast().nanos() >= stepNanos) {
                meters.sample();
                requireSpace(); // a merge writes its output before its input is deleted
              }
              return !stopped;
            });
    meters.sample();
    return finished;
  }

  private Part result(
      Values source, List<Sample> samples, int fed, boolean finished, HostNoise noise) {
    WindowFigures figures = new WindowFigures(samples, Runtime.getRuntime().availableProcessors());
    Values values =
        Values.builder()
            .put(task.cell().values())
            .put(source)
            .put(figures.between(Window.WHOLE, 0, samples.size() - 1))
            .put(figures.between(Window.DRAIN, fed, samples.size() - 1))
            .put(figures.steady(fed, stepNanos))
            .put(CellFigures.NOISE_HOST, noise)
            .build();
    warnOfSource(
        values.require(CellFigures.SOURCE_RATE),
        values
            .get(CellFigures.RATE, Window.STEADY)
            .orElseGet(() -> values.require(CellFigures.RATE, Window.WHOLE)));
    return Part.of(
            Part.Kind.CELL,
            task.cell().title(),
            task.round(),
            finished ? Status.DONE : Status.INTERRUPTED,
            ArmRun.inThisJvm(task.settings().describe(ArmKind.INDEX)),
            values)
        .withWarnings(warnings);
  }

  private void warnOfSource(double sourceRate, double measuredRate) {
    if (sourceRate < LEAST_SOURCE_FACTOR * measuredRate) {
      warnings.add(
          new RunWarning(
              String.format(
                  Locale.ROOT,
                  "the source alone delivers documents only %.1f times as fast as they were"
                      + " indexed",
                  sourceRate / measuredRate),
              "drawing and building documents takes a part of each indexing thread's time",
              "larger documents, or fewer threads"));
    }
  }

  /** Weir lifts a cap under which merges pile up, so the rates are not those of that cap. */
  static List<RunWarning> ofCap(CapWatch.Trouble trouble) {
    List<RunWarning> warnings = new ArrayList<>();
    if (trouble.lifts() > 0) {
      warnings.add(
          new RunWarning(
              "the cap was lifted %s, so the rates are higher than the cap allows"
                  .formatted(trouble.lifts() == 1 ? "once" : trouble.lifts() + " times"),
              "merges had piled up: under the cap, new segments come faster than merges end",
              "a higher cap, or a larger --ram-buffer, with which merges write less"));
    }
    trouble
        .shortfall()
        .ifPresent(
            shortfall ->
                warnings.add(
                    new RunWarning(
                        "the cap of %s/s cannot keep up: in the long run merges must write %s/s"
                            .formatted(
                                Figures.bytes(shortfall.capBytesPerSecond()),
                                Figures.bytes(shortfall.demandBytesPerSecond())),
                        "documents come faster than their merges may be written",
                        "a cap of at least %s/s"
                            .formatted(Figures.bytes(shortfall.enoughBytesPerSecond())))));
    return warnings;
  }

  private void requireSpace() throws IOException {
    long free = freeBytes.getAsLong();
    if (free < LEAST_FREE_BYTES) {
      throw new FailureWords.ReserveException(
          "the disk of %s must keep %d MB free, the index left it %d MB: choose another --place, or a shorter --duration"
              .formatted(task.index(), LEAST_FREE_BYTES / 1_000_000, free / 1_000_000));
    }
  }

  private void tell(Sample last, long passedNanos, long durationNanos) {
    listener.progress(
        passedNanos < durationNanos ? "indexing" : "indexing until it has flushed often enough",
        OptionalDouble.of(Math.min(1, (double) passedNanos / durationNanos)),
        String.format(
            Locale.ROOT,
            "%d documents, %.1f GB/h so far, %d flushes",
            last.get(Counter.DOCUMENTS),
            EvenRates.toGigabytesPerHour(last.get(Counter.TEXT_BYTES) * 1e9 / passedNanos),
            last.get(Counter.FLUSHES)));
  }

  private void park(long untilNanos) {
    for (long left = untilNanos - clock.nanoTime();
        left > 0 && !stopped;
        left = untilNanos - clock.nanoTime()) {
      clock.parkNanos(this, left);
    }
  }
}
