package io.weir.fakes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.time.DaemonThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.perfield.PerFieldKnnVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;

/**
 * A thread that a format of vectors brings, as those of search engines do, on which merges build
 * their graphs. Who asks for it waits until it is done, so that it does all there is to do.
 */
public final class GraphPool extends AbstractExecutorService {

  private static final int VECTORS = 3000;
  private static final int DIMENSIONS = 16;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final AtomicLong nanos = new AtomicLong();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(DaemonThreads.named("pool of the format"));

  /** Lucene's, with a format that builds its graphs here. */
  public Codec codec() {
    KnnVectorsFormat format = new Lucene99HnswVectorsFormat(16, 50, 2, this);
    return new FilterCodec(Codec.getDefault().getName(), Codec.getDefault()) {
      @Override
      public KnnVectorsFormat knnVectorsFormat() {
        return new PerFieldKnnVectorsFormat() {
          @Override
          public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
            return format;
          }
        };
      }
    };
  }

  /** Adds vectors in three segments, so many that a merge builds a graph. */
  public static void index(IndexWriter writer) throws IOException {
    Random random = new Random(7);
    for (int i = 1; i <= VECTORS; i++) {
      Document document = new Document();
      document.add(new KnnFloatVectorField("vector", vector(random)));
      writer.addDocument(document);
      if (i % (VECTORS / 3) == 0) {
        writer.flush();
      }
    }
  }

  /** Finds vectors by the graph. */
  public static void check(IndexWriter writer) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      KnnFloatVectorQuery near = new KnnFloatVectorQuery("vector", vector(new Random(8)), 10);
      assertEquals(10, new IndexSearcher(reader).count(near));
    }
  }

  private static float[] vector(Random random) {
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = random.nextFloat();
    }
    return vector;
  }

  /** What the thread has used of the processors for that. */
  public long nanos() {
    return nanos.get();
  }

  @Override
  public void execute(Runnable task) {
    Future<?> done =
        thread.submit(
            () -> {
              long began = THREADS.getCurrentThreadCpuTime();
              task.run();
              nanos.addAndGet(THREADS.getCurrentThreadCpuTime() - began);
            });
    try {
      done.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void shutdown() {
    thread.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return thread.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return thread.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return thread.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return thread.awaitTermination(timeout, unit);
  }
}
