package io.weir;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakLingering;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.SlowReopenOptions;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.time.Duration;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;

/**
 * An application that tests with Lucene's own framework, which looks for threads that are left when
 * the tests have ended. Before, it found those of Weir that serve the whole process.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.SUITE)
@ThreadLeakLingering(linger = 3000) // less than the time that an idle thread of Weir's lives
public class ThreadLeakTest extends LuceneTestCase {

  private static byte[] noise() {
    byte[] noise = new byte[512];
    random().nextBytes(noise);
    return noise;
  }

  /** All layers, an index that is updated, merged and reopened, and all is closed. */
  public void testIndexOfWeir() throws Exception {
    Weir weir =
        Weir.builder()
            .budget(ByteBudget.perSecond(100_000_000))
            .keys(ResidentKeys.of("id"))
            .open(new MMapDirectory(createTempDir()));
    // The framework's default is a random one; with keys, one is needed that chooses by field.
    IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
        ReopenMonitor reopens = weir.attach(searchers);
        LatencyGoal goal = weir.hold(Percentile.P99, Duration.ofMillis(100))) {
      reopens.explainSlow(SlowReopenOptions.defaults());
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 2000; i++) {
          String id = Integer.toString(i + 500 * round);
          Document document = new Document();
          document.add(new StringField("id", id, Field.Store.YES));
          document.add(new StoredField("noise", noise())); // so that files are mapped
          writer.updateDocument(new Term("id", id), document);
        }
        reopens.maybeRefreshBlocking();
        writer.commit();
      }
      writer.forceMerge(1);
      writer.commit();
      reopens.maybeRefreshBlocking();
      assertEquals(6, reopens.snapshot().changed());
      assertNotNull(goal.snapshot());
    }
  }
}
