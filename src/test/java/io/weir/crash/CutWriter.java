package io.weir.crash;

import io.weir.Weir;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import io.weir.store.WritebackDirectory;
import io.weir.suite.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * A process that updates, commits and merges with all of Weir until its disk is gone or it is
 * killed: {@link PowerCutTest} does both.
 *
 * <p>On the standard output stand, as lines, {@code committed BATCH} after each commit and {@code
 * merging SMOOTHED_RANGES} every few milliseconds while a merge runs. A commit that fails is tried
 * once more: when the disk is gone that must fail too.
 */
final class CutWriter {

  /** A merge of all is some megabytes long, so that its writes are smoothed. */
  static final CrashIndex INDEX = new CrashIndex(0, 5000, 250, 800);

  /** So slow that a merge of all takes some tenths of a second. */
  private static final long BYTES_PER_SECOND = 10_000_000;

  private final PrintStream out = ChildJvm.output();
  private final Weir weir;

  private CutWriter(Path path) throws IOException {
    weir =
        Weir.builder()
            .budget(ByteBudget.perSecond(BYTES_PER_SECOND))
            .keys(ResidentKeys.of(CrashIndex.KEY))
            .open(path);
  }

  /**
   * Writes until a commit fails, or its standard input ends.
   *
   * @param arguments the directory of the index
   */
  public static void main(String[] arguments) {
    ChildJvm.endWithTheTest();
    try {
      new CutWriter(Path.of(arguments[0])).write();
    } catch (IOException | RuntimeException e) {
      Runtime.getRuntime().halt(5); // the disk is gone; a close would only wait for it
    }
  }

  private void write() throws IOException {
    try (weir;
        IndexWriter writer =
            new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
        ScheduledExecutorService others = Executors.newScheduledThreadPool(2)) {
      others.scheduleAtFixedRate(this::tellOfMerges, 0, 5, TimeUnit.MILLISECONDS);
      others.scheduleWithFixedDelay(() -> merge(writer), 100, 1, TimeUnit.MILLISECONDS);
      for (long batch = CrashIndex.lastBatch(writer) + 1; ; batch++) {
        INDEX.write(writer, batch);
        try {
          writer.commit();
        } catch (IOException e) {
          writer.commit();
        }
        out.println("committed " + batch);
      }
    }
  }

  private void merge(IndexWriter writer) {
    try {
      writer.forceMerge(1);
    } catch (IOException e) {
      // The next one, or the next commit, fails as well.
    }
  }

  private void tellOfMerges() {
    if (weir.scheduler().mergeThreadCount() > 0) {
      out.println("merging " + smoothing().snapshot().startedRanges());
    }
  }

  private WritebackDirectory smoothing() {
    Directory at = weir.directory();
    while (!(at instanceof WritebackDirectory)) {
      at = ((FilterDirectory) at).getDelegate();
    }
    return (WritebackDirectory) at;
  }
}
