package io.weir.benchmark.mergeaudit;

import io.weir.Weir;
import io.weir.benchmark.kit.CountedDisk;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.procfs.BlockDevice;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * One forced merge of an index that is not cached, until its output is on the disk. It is rolled
 * back, so the index stays as it was.
 *
 * @param seconds of {@code forceMerge}
 * @param charged to the budget of Weir; empty for Lucene alone
 * @param processRead bytes that the kernel has read from storage for this process
 * @param device what its counters have moved by
 */
record AuditedMerge(
    double seconds, Optional<Charged> charged, long processRead, DeviceBytes device) {

  /** What the threads of merges have read, and what merges have written. */
  record Charged(long read, long written) {}

  static AuditedMerge ofLucene(Path index, BlockDevice device) throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return run(index, directory, config(), device, Optional::empty);
    }
  }

  /** What merges and writes the index of a run: so it knows the blocks of what it merges. */
  static Weir open(Path index) throws IOException {
    return Weir.builder()
        .budget(
            new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES)))
        .open(index);
  }

  static AuditedMerge ofWeir(Weir weir, Path index, BlockDevice device) throws IOException {
    List<MergeTotals> merges = new CopyOnWriteArrayList<>();
    weir.scheduler()
        .addListener(
            new MergeListener() {
              @Override
              public void mergeFinished(MergeTotals merge) {
                merges.add(merge);
              }
            });
    return run(
        index,
        weir.directory(),
        weir.configure(config()),
        device,
        () -> {
          weir.scheduler().sync(); // forceMerge returns before the merge is announced
          return Optional.of(charged(merges));
        });
  }

  private interface Account {
    Optional<Charged> charged();
  }

  private static Charged charged(List<MergeTotals> merges) {
    List<MergeTotals> forced =
        merges.stream().filter(merge -> merge.kind() == MergeKind.FORCED).toList();
    return new Charged(
        forced.stream().mapToLong(merge -> merge.readBytes().orElse(0)).sum(),
        forced.stream().mapToLong(MergeTotals::writtenBytes).sum());
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig(IndexSchema.analyzer())
        .setOpenMode(IndexWriterConfig.OpenMode.APPEND);
  }

  private static AuditedMerge run(
      Path index,
      Directory directory,
      IndexWriterConfig config,
      BlockDevice device,
      Account account)
      throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      List<Path> inputs = files(index);
      CountedDisk.dropFromCache(index);
      DeviceBytes deviceBefore = DeviceBytes.of(device);
      long processBefore = readSoFar();
      long beganNanos = System.nanoTime();
      writer.forceMerge(1);
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      long read = readSoFar() - processBefore;
      List<String> outputs = new ArrayList<>();
      for (Path file : files(index)) {
        if (!inputs.contains(file)) {
          outputs.add(file.getFileName().toString());
        }
      }
      directory.sync(outputs);
      AuditedMerge merge =
          new AuditedMerge(
              seconds, account.charged(), read, DeviceBytes.of(device).minus(deviceBefore));
      writer.rollback();
      return merge;
    }
  }

  private static long readSoFar() {
    return Procfs.SYSTEM.selfIo().map(IoCounters::readBytes).orElseThrow().orElseThrow();
  }

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files.toList();
    }
  }
}
