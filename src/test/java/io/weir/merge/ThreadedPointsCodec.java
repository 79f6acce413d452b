package io.weir.merge;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PointsFormat;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.PointsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;

/**
 * Writes the points of a merge on a thread within that merge. Lucene's own codecs only compute on
 * those threads, but any codec may write there. Lucene's default codec reads what this writes.
 */
final class ThreadedPointsCodec extends FilterCodec {

  ThreadedPointsCodec() {
    super(Codec.getDefault().getName(), Codec.getDefault());
  }

  @Override
  public PointsFormat pointsFormat() {
    PointsFormat format = delegate.pointsFormat();
    return new PointsFormat() {
      @Override
      public PointsWriter fieldsWriter(SegmentWriteState state) throws IOException {
        return new ThreadedWriter(format.fieldsWriter(state));
      }

      @Override
      public PointsReader fieldsReader(SegmentReadState state) throws IOException {
        return format.fieldsReader(state);
      }
    };
  }

  private static final class ThreadedWriter extends PointsWriter {

    private final PointsWriter in;
    private Executor executor = Runnable::run; // until it is of a merge

    ThreadedWriter(PointsWriter in) {
      this.in = in;
    }

    @Override
    public void writeField(FieldInfo field, PointsReader values) throws IOException {
      in.writeField(field, values);
    }

    @Override
    public void merge(MergeState state) throws IOException {
      executor = state.intraMergeTaskExecutor;
      onThread(() -> in.merge(state));
    }

    @Override
    public void finish() throws IOException {
      onThread(in::finish);
    }

    private void onThread(IORunnable work) throws IOException {
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                work.run();
                return null;
              });
      executor.execute(task);
      boolean interrupted = false;
      try {
        for (boolean done = false; !done; ) {
          try {
            task.get();
            done = true;
          } catch (InterruptedException e) {
            interrupted = true; // but the task still writes to the merge's files
          }
        }
      } catch (ExecutionException e) {
        throw IOUtils.rethrowAlways(e.getCause());
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
