package io.weir.undeploy.shared;

import io.weir.Weir;
import io.weir.control.GoalDecision;
import io.weir.control.GoalListener;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.merge.MergeListener;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopens;
import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * An application in a loader of its own, below a loader with Lucene and Weir. It gives Weir objects
 * of its own classes wherever Weir takes any, and closes what it opened.
 *
 * @param index where its index is
 */
public record SharingApplication(Path index) implements Callable<String> {

  private static final class OwnAnalyzer extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      return new TokenStreamComponents(new StandardTokenizer());
    }
  }

  private static final class OwnMergePolicy extends TieredMergePolicy {}

  private static final class OwnSearchers extends SearcherFactory {
    @Override
    public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) throws IOException {
      return super.newSearcher(reader, previous);
    }
  }

  private static final class OwnFiles extends FilterDirectory {
    OwnFiles(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return super.openInput(name, context);
    }
  }

  private static final class OwnListener
      implements BudgetListener, MergeListener, ReopenListener, GoalListener {

    private long calls;

    @Override
    public synchronized void waitEnded(long grantedBytes, long waitNanos) {
      calls++;
    }

    @Override
    public synchronized void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
      calls++;
    }

    @Override
    public synchronized void decided(GoalDecision decision) {
      calls++;
    }
  }

  @Override
  public String call() throws Exception {
    OwnListener listener = new OwnListener();
    ByteBudget budget = ByteBudget.perSecond(100_000_000);
    budget.addListener(listener);
    Weir weir =
        Weir.builder()
            .budget(budget)
            .keys(ResidentKeys.of("id"))
            .open(new OwnFiles(FSDirectory.open(index)));
    weir.scheduler().addListener(listener);
    IndexWriterConfig config =
        new IndexWriterConfig(new OwnAnalyzer()).setMergePolicy(new OwnMergePolicy());
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config));
        SearcherManager searchers =
            new SearcherManager(writer, weir.searcherFactory(new OwnSearchers()));
        ReopenMonitor reopens = weir.attach(searchers);
        SlowReopens slow =
            reopens.explainSlow(SlowReopenOptions.defaults().withThreshold(Duration.ofMillis(1)));
        LatencyGoal goal = weir.hold(Percentile.P99, Duration.ofMillis(100))) {
      reopens.addListener(listener);
      slow.addListener(reopen -> listener.waitEnded(0, 0));
      goal.addListener(listener);
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 1000; i++) {
          Document document = new Document();
          document.add(new StringField("id", Integer.toString(i + round), Field.Store.YES));
          document.add(new TextField("text", "text number " + i, Field.Store.NO));
          writer.updateDocument(new Term("id", Integer.toString(i + round)), document);
        }
        reopens.maybeRefreshBlocking();
        searchers.maybeRefreshBlocking();
        writer.commit();
      }
      writer.forceMerge(1);
      writer.commit();
    }
    return listener.calls + " calls";
  }
}
