package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.run.RunWarning;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
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
 */
final class LuceneSource implements IndexSource<RunForecast> {

  private record Checked(SourceIndexes indexes, DocumentSource documents) {}

  private final StressPlan plan;
  private final Procfs procfs;
  private final RunContext context;
  private final List<IndexLock> locks = new ArrayList<>();
  private Optional<Checked> checked = Optional.empty();

  /** A source that has looked at nothing yet. */
  LuceneSource(StressPlan plan, Procfs procfs, RunContext context) {
    this.plan = plan;
    this.procfs = procfs;
    this.context = context;
  }

  @Override
  public void check(DocumentSource documents) throws StressException, IOException {
    Preflight.requireJvms(plan.arms());
    SourceIndexes indexes = SourceIndexes.find(plan, context.workers().scratch());
    indexes.requireDisk(plan, documents);
    ArmPreflight.require(plan, indexes, procfs);
    checked = Optional.of(new Checked(indexes, documents));
  }

  @Override
  public RunForecast forecast() throws IOException {
    return indexes().forecast(plan, checked.orElseThrow().documents());
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    SourceIndexes indexes = indexes();
    indexes.changedDocuments(checked.orElseThrow().documents()).ifPresent(context.warnings());
    for (Path index : indexes.needed().values()) {
      IndexCopy.deleteOfDeadRuns(index, procfs);
    }
    IndexMaker maker =
        new IndexMaker(
            plan, checked.orElseThrow().documents(), context.workers(), context.warnings());
    long documents = indexes.foundDocuments();
    for (IndexLayout layout : indexes.missing()) {
      if (!context.workers().stopped()) {
        documents = maker.make(layout, indexes, documents);
        indexes.made(layout);
      }
    }
    if (!context.workers().stopped()) {
      ArmPreflight.require(plan, indexes, procfs); // once more: their size is known now
      for (Path index : indexes.needed().values()) {
        locks.add(IndexLock.hold(index));
        Files.createDirectories(copies(index));
      }
    }
    return documents;
  }

  @Override
  public boolean draw(Path file) throws StressException, InterruptedException {
    WorkerTask task =
        new WorkerTask.DrawQueries(
            plan.queries(), plan.documents().seed(), indexes().first(), file);
    WorkerEnd end = context.workers().run("queries", WorkerJvm.SAME, task);
    return !context.workers().stopped()
        && end.orThrow(WorkerAnswer.QueriesDrawn.class, "drawing queries").complete();
  }

  @Override
  public Start start(ArmQueue.Turn turn, int step, long documents) throws IOException {
    Arm arm = turn.arm();
    Path index = indexes().path(IndexLayout.of(arm.settings()));
    IndexCopy copy = IndexCopy.of(index, copies(index).resolve(Integer.toString(step)));
    if (!copy.linked() && step == 1) {
      context
          .warnings()
          .accept(
              new RunWarning(
                  "each arm works on a full copy of the index",
                  "the file system has no hard links",
                  "put --index on one that has"));
    }
    return new Start(
        new WorkerJvm(
            arm.settings().get(ArmSetting.JVM),
            JvmHeap.orDefault(arm.settings().get(ArmSetting.JVM_ARGS))),
        outputs ->
            new WorkerTask.RunArm(
                new LuceneArm.Setup(
                    new ArmRun.Setup(
                        arm.name(),
                        turn.round(),
                        arm.settings(),
                        plan.documents(),
                        documents,
                        context.files().queriesText().toAbsolutePath(),
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

  /** The index of a layout, which is there once all are made. */
  Path index(IndexLayout layout) {
    return indexes().path(layout);
  }

  private SourceIndexes indexes() {
    return checked.orElseThrow().indexes();
  }

  private Path copies(Path index) {
    return IndexCopy.directoryOf(index, procfs);
  }
}
