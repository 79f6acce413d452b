package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.run.RunWarning;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressMain.IndexMade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.util.IOUtils;

/**
 * Indexes of Lucene's own, one for each layout that an arm asks for; each arm works on a copy of
 * one of them, made of hard links and beside it.
 *
 * <p><b>Failure:</b> an unfinished index is deleted.
 */
public final class LuceneSource implements IndexSource<RunForecast> {

  private record Checked(SourceIndexes indexes, DocumentSource documents) {}

  private final StressPlan plan;
  private final RunKind.Ground ground;
  private final List<IndexLock> locks = new ArrayList<>();
  private Optional<Checked> checked = Optional.empty();

  /** A source that has looked at nothing yet. */
  public LuceneSource(StressPlan plan, RunKind.Ground ground) {
    this.plan = plan;
    this.ground = ground;
  }

  @Override
  public RunForecast check(DocumentSource documents) throws StressException, IOException {
    Preflight.requireJvms(plan.arms());
    SourceIndexes indexes = SourceIndexes.find(plan, ground.workers().scratch());
    indexes.requireDisk(documents);
    indexes.requireMemory(ground.procfs());
    checked = Optional.of(new Checked(indexes, documents));
    return indexes.forecast(documents);
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    SourceIndexes indexes = indexes();
    indexes.changedDocuments(checked.orElseThrow().documents()).ifPresent(ground.warnings());
    for (Path index : indexes.needed().values()) {
      IndexCopy.deleteOfDeadRuns(index, ground.procfs());
    }
    long documents = indexes.foundDocuments();
    for (IndexLayout layout : indexes.missing()) {
      if (!ground.workers().stopped()) {
        documents = make(layout, documents);
        indexes.made(layout);
      }
    }
    warnOfShortFile(documents);
    if (!ground.workers().stopped()) {
      indexes.requireMemory(ground.procfs()); // once more: their size is known now
      for (Path index : indexes.needed().values()) {
        locks.add(IndexLock.hold(index));
        Files.createDirectories(copies(index));
      }
    }
    return documents;
  }

  private void warnOfShortFile(long documents) throws IOException {
    long without = DocumentVectors.of(plan.documents()).afterFile(documents);
    if (without > 0) {
      ground
          .warnings()
          .accept(
              new RunWarning(
                  "%d of %d documents have no vector".formatted(without, documents),
                  "the file of --vectors ends before the documents do",
                  "a longer file, or --doc-count " + (documents - without)));
    }
  }

  /**
   * Makes the index of {@code layout}: rewrites one that is there, or builds it.
   *
   * @param there how many documents that one holds; 0 when there is none
   * @return how many it holds; 0 when the run was stopped
   */
  private long make(IndexLayout layout, long there)
      throws StressException, IOException, InterruptedException {
    Path index = indexes().path(layout);
    long expected = there > 0 ? there : expectedDocuments();
    StressMain.Task task =
        indexes()
            .origin()
            .<StressMain.Task>map(
                origin -> new StressMain.RewriteIndex(origin, layout, expected, index))
            .orElseGet(() -> new StressMain.BuildIndex(plan.documents(), layout, expected, index));
    FreshDirectory fresh = FreshDirectory.make("--index", index); // or empty, as was checked
    boolean built = false;
    try {
      Optional<IndexMade> answer = ground.run("index", task, IndexMade.class, "building the index");
      if (answer.isEmpty()) {
        return 0;
      }
      IndexMade made = answer.get();
      made.warning().ifPresent(ground.warnings());
      if (made.documents() == 0 && !ground.workers().stopped()) {
        throw noDocuments(made, "building the index", plan.documents().source());
      }
      built = made.documents() > 0;
      return made.documents();
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
   * Deletes what an unfinished build left. The worker of this run has ended, so a locked index
   * belongs to another run that builds it; then this deletes nothing and throws.
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
    long there = checked.orElseThrow().documents().documentCount().orElse(0);
    return wanted == 0 ? there : there == 0 ? wanted : Math.min(wanted, there);
  }

  /** Why an index has none, although this run was not stopped. */
  static StressException noDocuments(IndexMade made, String doing, String source) {
    return made.stopped()
        ? new StressException(Kind.BROKEN, doing + " failed: another process stopped its JVM")
        : new StressException(
            Kind.USAGE, "--docs must hold at least 1 document that can be read: " + source);
  }

  @Override
  public boolean draw(Path file) throws StressException, InterruptedException {
    StressMain.Task task =
        new StressMain.DrawQueries(
            plan.queries(), plan.documents().seed(), indexes().first(), file);
    return ground
            .run("queries", task, StressMain.QueriesDrawn.class, "drawing queries")
            .filter(StressMain.QueriesDrawn::complete)
            .isPresent()
        && !ground.workers().stopped();
  }

  /**
   * Copies the index that an arm starts from; closing deletes the copy.
   *
   * @param step of the run, another one for each copy
   */
  public IndexCopy copy(Arm arm, int step) throws IOException {
    Path index = indexes().path(IndexLayout.of(arm.settings()));
    return IndexCopy.of(index, copies(index).resolve(Integer.toString(step)));
  }

  /** The JVM that an arm asks for, with {@code more} arguments. */
  public static JvmCommand jvm(Arm arm, List<String> more) {
    List<String> arguments =
        new ArrayList<>(JvmCommand.withHeap(arm.settings().get(ArmSetting.JVM_ARGS)));
    arguments.addAll(more);
    return new JvmCommand(
        arm.settings().get(ArmSetting.JVM), arguments, LuceneJars.of(arm.settings()));
  }

  @Override
  public Start start(ArmQueue.Turn turn, int step, long documents) throws IOException {
    Arm arm = turn.arm();
    IndexCopy copy = copy(arm, step);
    if (!copy.linked() && step == 1) {
      ground
          .warnings()
          .accept(
              new RunWarning(
                  "each arm works on a full copy of the index",
                  "the file system has no hard links",
                  "put --index on one that has"));
    }
    return new Start(
        jvm(arm, List.of()),
        outputs ->
            new StressMain.RunArm(
                new LuceneArm.Setup(
                    new ArmRun.Setup(
                        arm.name(),
                        turn.round(),
                        arm.settings(),
                        plan.documents(),
                        documents,
                        ground.files().queriesText().toAbsolutePath(),
                        plan.out().toAbsolutePath(),
                        plan.slowReopenOver(),
                        outputs),
                    copy.path().toAbsolutePath(),
                    plan.checkIndex(),
                    plan.strict()),
                plan.telemetry()),
        copy::close);
  }

  @Override
  public Path place() {
    return indexes().first();
  }

  @Override
  public Map<String, String> facts() throws IOException {
    Map<String, String> sizes = new HashMap<>();
    for (Map.Entry<IndexLayout, Path> index : indexes().needed().entrySet()) {
      if (Files.isDirectory(index.getValue())) {
        sizes.put(
            "indexBytes" + index.getKey().suffix(),
            Long.toString(Preflight.sizeOf(index.getValue())));
      }
    }
    return sizes;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(locks);
    for (Path index : indexes().needed().values()) {
      IndexCopy.deleteTree(copies(index));
    }
  }

  private SourceIndexes indexes() {
    return checked.orElseThrow().indexes();
  }

  private Path copies(Path index) {
    return IndexCopy.directoryOf(index, ground.procfs());
  }
}
