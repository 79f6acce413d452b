package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeLab;
import io.weir.merge.MergeListener;
import io.weir.merge.PairsMergePolicy;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cap holds however few merges are allowed, and still never makes indexing stand still. */
@Timeout(60)
class WeirCapTest {

  private static final int DOCUMENTS = 20;

  @TempDir Path temp;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
  private final Lifts lifts = new Lifts();

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "2,2", "3,1", "3,2", "3,3"})
  void cap_asManyMergesAsAllowed_holdsUntilIndexingWouldStall(int merges, int threads)
      throws Exception {
    Weir weir = Weir.builder().budget(budget).open(temp);
    weir.scheduler().setMaxMergesAndThreads(merges, threads);
    weir.scheduler().addListener(lifts);
    int segments = 2 * merges;
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.build(stock, segments, DOCUMENTS, MergeLab::source);
    }
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(new PairsMergePolicy()).setMaxBufferedDocs(2);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config))) {
      writer.maybeMerge();
      Await.until("all slots are taken", () -> weir.scheduler().running().size() == merges);
      Await.until("merges wait", () -> budget.snapshot().waiting() > 0);
      assertEquals(List.of(), lifts.reasons);
      assertEquals(0, weir.scheduler().totals(MergeKind.NATURAL).done());

      FutureTask<Void> indexing =
          MergeLab.start(
              () -> {
                for (int id = 1000; id < 1010; id++) {
                  writer.addDocument(MergeLab.document(id));
                }
              });
      indexing.get(20, TimeUnit.SECONDS);
      assertTrue(
          !lifts.reasons.isEmpty(), "indexing did not stand still, and yet no cap was lifted");
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, segments * DOCUMENTS + 10);
    }
  }

  private static final class Lifts implements MergeListener {

    final List<String> reasons = new CopyOnWriteArrayList<>();

    @Override
    public void capLifted(String reason) {
      reasons.add(reason);
    }
  }
}
