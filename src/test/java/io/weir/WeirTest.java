package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.Reopen;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.ReopenResult;
import io.weir.rate.ByteBudget;
import io.weir.store.DeferredSyncDirectory;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.FlushedFilesDirectory;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.PrefetchDirectory;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.WritebackDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WeirTest {

  @TempDir Path temp;

  private final ByteBudget budget = ByteBudget.unlimited();

  @Test
  void directory_withKeys_isTheWholeChain() throws Exception {
    Weir weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(temp);
    try (Directory directory = weir.directory()) {
      assertEquals(
          List.of(
              PrefetchDirectory.class,
              ResidentDirectory.class,
              RateLimitedDirectory.class,
              DeferredSyncDirectory.class,
              FlushedFilesDirectory.class,
              WritebackDirectory.class,
              MergeReadsDirectory.class,
              DeferredUnmapDirectory.class,
              SmallFilesDirectory.class,
              FSDirectory.open(temp).getClass()),
          chain(directory));
    }
  }

  @Test
  void directory_withoutKeys_holdsNone() throws Exception {
    try (Directory directory = Weir.builder().budget(budget).open(temp).directory()) {
      assertEquals(
          List.of(PrefetchDirectory.class, RateLimitedDirectory.class),
          chain(directory).subList(0, 2));
    }
  }

  @Test
  void configure_setsWhatThePartsNeed_overWhatWasSet() {
    List<Integer> warmed = new ArrayList<>();
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergedSegmentWarmer(reader -> warmed.add(reader.maxDoc()));
    String codec = config.getCodec().getName();
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(new ByteBuffersDirectory());

    assertSame(config, weir.configure(config));

    assertSame(weir.scheduler(), config.getMergeScheduler());
    assertEquals(0, config.getMaxFullFlushMergeWaitMillis());
    assertEquals(codec, config.getCodec().getName());
    assertTrue(config.getMergedSegmentWarmer() instanceof MergedSegmentWarmer);
  }

  /** Updates, reopens and a forced merge through all of it; then stock Lucene reads the index. */
  @Test
  void whole_onARealIndex_chargesHoldsAndTells() throws Exception {
    Weir weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(temp);
    List<Integer> warmed = new ArrayList<>();
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergedSegmentWarmer(reader -> warmed.add(reader.maxDoc()));
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config));
        ReopenMonitor reopens = searchAndMerge(weir, writer)) {
      writer.commit();
      assertEquals(List.of(450), warmed);
      assertTrue(weir.budget().snapshot().grantedBytes() > 0);
      PrefetchDirectory prefetch = (PrefetchDirectory) directory;
      assertEquals(1, prefetch.segments());
      assertEquals(0, prefetch.faults());
      ResidentDirectory resident = (ResidentDirectory) prefetch.getDelegate();
      assertTrue(resident.snapshot().loadedFiles() > 0, resident.snapshot().toString());

      List<Reopen> changed =
          reopens.recent().stream().filter(r -> r.result() == ReopenResult.CHANGED).toList();
      assertEquals(3, changed.size(), reopens.recent().toString());
      for (ReopenPhase phase : List.of(ReopenPhase.FLUSH, ReopenPhase.WARM)) {
        assertTrue(changed.get(0).phaseNanos().containsKey(phase), changed.get(0).toString());
      }
    }
    try (FSDirectory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(450, reader.numDocs());
    }
  }

  @Test
  void attach_twice_isRefused() throws Exception {
    Weir weir = Weir.builder().budget(budget).open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      ReopenMonitor first = weir.attach(searchers);
      assertThrows(IllegalStateException.class, () -> weir.attach(searchers));
      first.close();
      weir.attach(searchers).close();
    }
  }

  private static ReopenMonitor searchAndMerge(Weir weir, IndexWriter writer) throws IOException {
    try (SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      ReopenMonitor reopens = weir.attach(searchers);
      for (int round = 0; round < 2; round++) {
        for (int i = 150 * round; i < 150 * round + 300; i++) { // half of them once more
          Document document = new Document();
          document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
          writer.updateDocument(new Term("id", Integer.toString(i)), document);
        }
        reopens.maybeRefresh();
      }
      writer.forceMerge(1);
      reopens.maybeRefresh();
      return reopens;
    }
  }

  private static List<Class<?>> chain(Directory directory) {
    List<Class<?>> classes = new ArrayList<>();
    Directory each = directory;
    for (; each instanceof FilterDirectory filter; each = filter.getDelegate()) {
      classes.add(each.getClass());
    }
    classes.add(each.getClass());
    return classes;
  }
}
