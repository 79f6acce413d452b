package io.weir.benchmark.forcedmerge;

import com.sun.management.OperatingSystemMXBean;
import io.weir.stress.index.IndexSchema;
import io.weir.suite.LinkedIndex;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * One forced merge to one segment, on a copy of the index made of hard links: every trial reads the
 * very same pages, and those stay in the page cache. It is not committed, so no figure contains a
 * wait for the disk to sync; what it wrote is deleted before the kernel would write it down.
 *
 * @param wallNanos from the call of {@code forceMerge} until it returned
 * @param cpuNanos of the whole process in that time
 * @param chargedBytes what the arm's budget was charged; 0 when it has none
 */
record MergeTrial(long wallNanos, long cpuNanos, long chargedBytes) {

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * Merges.
   *
   * @param below put around the directory that writes, below the arm's; for tests that count
   */
  static MergeTrial run(Path index, MergeArm arm, UnaryOperator<Directory> below)
      throws IOException {
    Path copy = Files.createTempDirectory(index.toAbsolutePath().getParent(), "copy");
    try (Directory files = FSDirectory.open(copy)) {
      LinkedIndex.copy(index, copy);
      MergeArm.Setup setup = arm.on(below.apply(files));
      IndexWriterConfig config =
          new IndexWriterConfig(IndexSchema.analyzer())
              .setOpenMode(IndexWriterConfig.OpenMode.APPEND)
              .setMergeScheduler(setup.scheduler());
      try (IndexWriter writer = new IndexWriter(setup.directory(), config)) {
        System.gc(); // what the trial before left is not this one's to collect
        long cpuNanos = PROCESS.getProcessCpuTime();
        long wallNanos = NanoClock.SYSTEM.nanoTime();
        writer.forceMerge(1);
        wallNanos = NanoClock.SYSTEM.nanoTime() - wallNanos;
        cpuNanos = PROCESS.getProcessCpuTime() - cpuNanos;
        long chargedBytes = setup.chargedBytes();
        writer.rollback();
        return new MergeTrial(wallNanos, cpuNanos, chargedBytes);
      }
    } finally {
      deleteFlat(copy);
    }
  }

  /** Deletes a directory of files. */
  static void deleteFlat(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
