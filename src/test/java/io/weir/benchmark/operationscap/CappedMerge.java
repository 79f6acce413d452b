package io.weir.benchmark.operationscap;

import io.weir.Weir;
import io.weir.benchmark.kit.CountedDisk;
import io.weir.control.OperationsCap;
import io.weir.control.OperationsScope;
import io.weir.procfs.BlockDevice;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.index.IndexSchema;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * One forced merge of an index that is not cached, with or without a cap on operations, beside the
 * counters of its device. It is rolled back, so the index stays as it was.
 *
 * @param operations of the device, from the call of {@code forceMerge} until it returned
 * @param bytes that the merge read and wrote
 */
record CappedMerge(DeviceOperations operations, long bytes) {

  private static final NanoClock CLOCK = NanoClock.SYSTEM;
  private static final long SAMPLE_NANOS = 50_000_000;

  /**
   * Merges.
   *
   * @param limit operations per second; empty for no cap
   */
  static CappedMerge run(Path index, BlockDevice device, OptionalLong limit) throws Exception {
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES));
    Weir weir = new Weir(budget);
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setOpenMode(IndexWriterConfig.OpenMode.APPEND);
    try (Directory directory = weir.directory(index);
        IndexWriter writer = new IndexWriter(directory, weir.configure(config))) {
      CountedDisk.dropFromCache(index);
      DeviceOperations operations =
          limit.isEmpty()
              ? merge(writer, device)
              : capped(index, limit.getAsLong(), weir, writer, device);
      long bytes = budget.snapshot().grantedBytes();
      writer.rollback();
      return new CappedMerge(operations, bytes);
    }
  }

  private static DeviceOperations capped(
      Path index, long limit, Weir weir, IndexWriter writer, BlockDevice device) throws Exception {
    OperationsCap cap =
        OperationsCap.hold(
            index, limit, OperationsScope.DEVICE, weir.budget(), List.of(weir.scheduler()));
    try (cap) {
      return merge(writer, device);
    }
  }

  private static DeviceOperations merge(IndexWriter writer, BlockDevice device) throws Exception {
    Callable<Void> merging =
        () -> {
          writer.forceMerge(1);
          return null;
        };
    FutureTask<Void> merge = new FutureTask<>(merging);
    DeviceOperations operations = new DeviceOperations();
    operations.add(CLOCK.nanoTime(), count(device));
    Thread.ofPlatform().name("bench-merge").daemon().start(merge);
    while (!merge.isDone()) {
      CLOCK.parkNanos(merge, SAMPLE_NANOS);
      operations.add(CLOCK.nanoTime(), count(device));
    }
    merge.get();
    return operations;
  }

  private static long count(BlockDevice device) {
    return Procfs.SYSTEM
        .operations(device)
        .orElseThrow(
            () ->
                new UncheckedIOException(
                    new IOException("the operations of " + device.name() + " cannot be read")))
        .all();
  }
}
