package io.weir;

import io.weir.suite.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;

/**
 * A process with a small heap that merges the vectors of several indexes at once: {@link
 * GraphHeapTest} starts it. Arguments: {@code stock} or {@code weir}, and the directories of the
 * indexes. Its last line is {@code done}, or {@code failed} if it ran out of memory.
 */
final class GraphHeapIndexes {

  private static final int BEAM = 32; // a graph of about the usual size in a third of the time

  private GraphHeapIndexes() {}

  static IndexWriterConfig config() {
    return new IndexWriterConfig()
        .setCodec(
            new Lucene104Codec() {
              @Override
              public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
                return new Lucene99HnswVectorsFormat(
                    Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN, BEAM);
              }
            });
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    boolean stock = arguments[0].equals("stock");
    CountDownLatch all = new CountDownLatch(arguments.length - 1);
    List<FutureTask<Boolean>> merges = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      Path path = Path.of(arguments[i]);
      FutureTask<Boolean> merge =
          new FutureTask<>(
              () -> {
                all.countDown();
                all.await();
                return stock ? mergesAlone(path) : mergesWithWeir(path);
              });
      Thread.ofPlatform().start(merge);
      merges.add(merge);
    }
    boolean done = true;
    for (FutureTask<Boolean> merge : merges) {
      done &= merge.get();
    }
    ChildJvm.output().println(done ? "done" : "failed");
    Runtime.getRuntime().halt(0);
  }

  private static boolean mergesAlone(Path path) throws IOException {
    try (FSDirectory directory = FSDirectory.open(path)) {
      return merges(new IndexWriter(directory, config()));
    }
  }

  private static boolean mergesWithWeir(Path path) throws IOException {
    try (Weir weir = Weir.builder().open(path)) {
      return merges(new IndexWriter(weir.directory(), weir.configure(config())));
    }
  }

  /** Whether there was memory for it. */
  private static boolean merges(IndexWriter writer) throws IOException {
    try {
      writer.forceMerge(1);
      writer.close();
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof OutOfMemoryError) {
          return false;
        }
      }
      if (writer.getTragicException() instanceof OutOfMemoryError) {
        return false;
      }
      throw e;
    }
  }
}
