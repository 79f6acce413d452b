package io.weir.benchmark.operationscap;

import io.weir.Weir;
import io.weir.benchmark.kit.CountedDisk;
import io.weir.procfs.BlockDevice;
import io.weir.procfs.Procfs;
import io.weir.stress.index.IndexSchema;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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

  /** Merges with the budget of {@code weir}, under what holds its rate. */
  static CappedMerge run(Path index, BlockDevice device, Weir weir) throws Exception {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setOpenMode(IndexWriterConfig.OpenMode.APPEND);
    try (Directory directory = weir.directory(index);
        IndexWriter writer = new IndexWriter(directory, weir.configure(config))) {
      CountedDisk.dropFromCache(index);
      long before = weir.budget().snapshot().grantedBytes();
      DeviceOperations operations = merge(writer, device);
      long bytes = weir.budget().snapshot().grantedBytes() - before;
      writer.rollback();
      return new CappedMerge(operations, bytes);
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
