package io.weir.control;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.KnnFieldVectorsWriter;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.util.IORunnable;

/**
 * A codec whose merges of vectors first have something read by a thread of the executor that Lucene
 * builds graphs on. Lucene leaves it to chance what its own tasks read from the disk there.
 */
final class ReadingGraphThreads extends FilterCodec {

  private final Runnable read;

  ReadingGraphThreads(Codec codec, Runnable read) {
    super(codec.getName(), codec);
    this.read = read;
  }

  @Override
  public KnnVectorsFormat knnVectorsFormat() {
    KnnVectorsFormat in = super.knnVectorsFormat();
    return new KnnVectorsFormat(in.getName()) {
      @Override
      public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
        return new Writer(in.fieldsWriter(state));
      }

      @Override
      public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
        return in.fieldsReader(state);
      }

      @Override
      public int getMaxDimensions(String field) {
        return in.getMaxDimensions(field);
      }
    };
  }

  private final class Writer extends KnnVectorsWriter {

    private final KnnVectorsWriter in;

    Writer(KnnVectorsWriter in) {
      this.in = in;
    }

    @Override
    public IORunnable mergeOneField(FieldInfo field, MergeState merge) throws IOException {
      try {
        CompletableFuture.runAsync(read, merge.intraMergeTaskExecutor).join();
      } catch (CompletionException e) {
        throw new IOException(e.getCause());
      }
      return in.mergeOneField(field, merge);
    }

    @Override
    public KnnFieldVectorsWriter<?> addField(FieldInfo field) throws IOException {
      return in.addField(field);
    }

    @Override
    public void flush(int maxDoc, Sorter.DocMap sorted) throws IOException {
      in.flush(maxDoc, sorted);
    }

    @Override
    public void finish() throws IOException {
      in.finish();
    }

    @Override
    public long ramBytesUsed() {
      return in.ramBytesUsed();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
