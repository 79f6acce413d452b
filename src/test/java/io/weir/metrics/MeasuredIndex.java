package io.weir.metrics;

import io.weir.Weir;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/** An index as an application has it, with all of Weir, and the metrics of it. */
public final class MeasuredIndex implements Closeable {

  public final Weir weir;
  final Directory directory;
  final IndexWriter writer;
  final SearcherManager searchers;
  public final ReopenMonitor reopens;
  private final WeirMetrics metrics;
  private int nextId;

  /** An empty one with the tag {@code index} as its name; nothing merges by itself. */
  public MeasuredIndex(Path path, String name, ByteBudget budget) throws IOException {
    weir = Weir.builder().name(name).budget(budget).keys(ResidentKeys.of("id")).open(path);
    directory = weir.directory();
    writer =
        weir.own(
            new IndexWriter(
                directory,
                weir.configure(new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))));
    searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
    reopens = weir.attach(searchers);
    metrics = new WeirMetrics(weir);
  }

  /** Its meters, bound to nothing yet. */
  public WeirMetrics metrics() {
    return metrics;
  }

  /** Writes documents and has them found, as a segment of its own. */
  public void segment(int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      Document document = new Document();
      String id = Integer.toString(nextId++);
      document.add(new StringField("id", id, Field.Store.YES));
      document.add(new StoredField("text", "text of the document ".repeat(20) + id));
      reopens.indexed(writer.updateDocument(new Term("id", id), document));
    }
    reopens.maybeRefreshBlocking();
  }

  /** Begins to merge several segments into one, and returns when a merge has begun. */
  void startMerge() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    weir.scheduler()
        .addListener(
            new MergeListener() {
              @Override
              public void mergeStarted(MergeTotals merge) {
                begun.countDown();
              }
            });
    writer.getConfig().setMergePolicy(new TieredMergePolicy());
    writer.forceMerge(1, false);
    begun.await();
  }

  /** Merges several segments into one, and returns when the meters have been told. */
  public void merge() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    MergeListener last =
        new MergeListener() {
          @Override
          public void mergeFinished(MergeTotals merge) {
            told.countDown();
          }
        };
    weir.scheduler().addListener(last); // behind those of the meters
    writer.getConfig().setMergePolicy(new TieredMergePolicy());
    writer.forceMerge(1);
    writer.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    told.await();
    weir.scheduler().removeListener(last);
  }

  @Override
  public void close() throws IOException {
    weir.close();
  }
}
