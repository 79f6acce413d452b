package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The phases of real reopens. The clock moves only in known places: a million for a created file, a
 * thousand for an opened one, and what a test says in deletes, merges and warming.
 */
@Timeout(60)
class ReopenPhasesTest {

  private static final long CREATE_NANOS = 1_000_000;
  private static final long OPEN_NANOS = 1_000;

  private final AutoClock clock = new AutoClock();
  private final ReopenPhases phases = new ReopenPhases();
  private final IndexWriterConfig config = new IndexWriterConfig();
  private NrtIndex.Warm warm = () -> {};
  private long created;
  private long opened;
  private NrtIndex index;
  private SearcherManager searchers;
  private ReopenMonitor monitor;

  private void open() throws IOException {
    open(InfoStream.NO_OUTPUT, true, true);
  }

  private void open(InfoStream infoStream, boolean applyAllDeletes, boolean factory)
      throws IOException {
    config.setInfoStream(phases.infoStream(infoStream));
    config.setUseCompoundFile(false);
    index = new NrtIndex(new TimedDirectory(), config);
    var made = index.factory(() -> warm.warm());
    searchers =
        new SearcherManager(
            index.writer, applyAllDeletes, false, factory ? phases.searcherFactory(made) : made);
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases), clock);
    created = 0;
    opened = 0;
  }

  @AfterEach
  void close() throws IOException {
    monitor.close();
    searchers.close();
    index.close();
  }

  @Test
  void infoStream_aReopenWithEverything_tellsEachPhaseToTheNanosecond() throws Exception {
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    open();
    index.add();
    index.writer.deleteDocuments(new SlowQuery(70));
    warm = () -> clock.advanceNanos(500);
    created = 0; // some are created with the first document
    monitor.maybeRefresh();
    Reopen reopen = monitor.recent().get(0);
    assertTrue(created > 5, created + " files were created");
    assertTrue(opened > 5, opened + " files were opened");
    assertEquals(
        Map.of(
            ReopenPhase.LOCK_WAIT, 0L,
            ReopenPhase.FLUSH, created * CREATE_NANOS,
            ReopenPhase.APPLY_DELETES, 70 + opened * OPEN_NANOS, // it reads the new segment first
            ReopenPhase.OPEN_READERS, 0L,
            ReopenPhase.MERGE_WAIT, 0L,
            ReopenPhase.WARM, 500L,
            ReopenPhase.RELEASE, 0L),
        reopen.phaseNanos());
    assertEquals(sum(reopen), reopen.totalNanos());
    assertEquals(OptionalLong.of(reopen.finishedNanos()), reopen.visibleNanos());
  }

  @Test
  void infoStream_noDeletes_countsTheOpeningOfReadersApart() throws Exception {
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    open();
    index.writer.addDocument(new Document());
    created = 0;
    monitor.maybeRefresh();
    Map<ReopenPhase, Long> took = monitor.recent().get(0).phaseNanos();
    assertEquals(created * CREATE_NANOS, took.get(ReopenPhase.FLUSH));
    assertEquals(opened * OPEN_NANOS, took.get(ReopenPhase.OPEN_READERS));
    assertEquals(0, took.get(ReopenPhase.APPLY_DELETES));
  }

  @Test
  void infoStream_managerDoesNotApplyAllDeletes_leavesApplyDeletesUnknown() throws Exception {
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    open(InfoStream.NO_OUTPUT, false, true);
    index.writer.addDocument(new Document());
    monitor.maybeRefresh();
    assertEquals(
        EnumSet.of(
            ReopenPhase.LOCK_WAIT,
            ReopenPhase.FLUSH,
            ReopenPhase.MERGE_WAIT,
            ReopenPhase.WARM,
            ReopenPhase.RELEASE),
        monitor.recent().get(0).phaseNanos().keySet());
  }

  @Test
  void infoStream_mergesThatAReaderWaitsFor_areTheMergeWait() throws Exception {
    config.setMergePolicy(new MergeForEachReader());
    config.setMergeScheduler(
        new SerialMergeScheduler() {
          @Override
          public synchronized void merge(MergeSource source, MergeTrigger trigger)
              throws IOException {
            if (trigger == MergeTrigger.GET_READER) {
              clock.advanceNanos(33);
            }
            super.merge(source, trigger);
          }
        });
    open();
    index.add();
    monitor.maybeRefresh();
    index.add();
    created = 0;
    opened = 0;
    monitor.maybeRefresh();
    Reopen reopen = monitor.recent().get(1);
    IndexSearcher merged = searchers.acquire();
    assertEquals(1, merged.getIndexReader().leaves().size());
    searchers.release(merged);
    long mergeWait = reopen.phaseNanos().get(ReopenPhase.MERGE_WAIT);
    assertEquals(33, mergeWait % OPEN_NANOS);
    long mergeFiles = mergeWait / CREATE_NANOS;
    assertTrue(mergeFiles > 5, mergeFiles + " files of the merge");
    assertEquals(
        created * CREATE_NANOS,
        (mergeFiles * CREATE_NANOS) + reopen.phaseNanos().get(ReopenPhase.FLUSH));
    assertEquals(sum(reopen), reopen.totalNanos());
  }

  @Test
  void infoStream_nothingNew_tellsNoPhaseOfTheWriter() throws Exception {
    open();
    monitor.maybeRefresh();
    assertEquals(Set.of(ReopenPhase.LOCK_WAIT), monitor.recent().get(0).phaseNanos().keySet());
    assertEquals(ReopenResult.UNCHANGED, monitor.recent().get(0).result());
  }

  @Test
  void infoStream_withoutTheFactory_leavesWarmAndReleaseUnknown() throws Exception {
    open(InfoStream.NO_OUTPUT, true, false);
    index.add();
    warm = () -> clock.advanceNanos(500);
    searchers.maybeRefresh();
    Reopen reopen = monitor.recent().get(0);
    assertEquals(
        EnumSet.range(ReopenPhase.FLUSH, ReopenPhase.MERGE_WAIT), reopen.phaseNanos().keySet());
    assertEquals(OptionalLong.empty(), reopen.visibleNanos());
    assertEquals(sum(reopen) + 500, reopen.totalNanos());
  }

  @Test
  void searcherFactory_closingTheOldReaderTakesTime_knowsTheVisibleMomentAndTheRelease()
      throws Exception {
    open();
    index.readers.get(0).getReaderCacheHelper().addClosedListener(key -> clock.advanceNanos(900));
    index.add();
    warm = () -> clock.advanceNanos(500);
    searchers.maybeRefresh();
    Reopen reopen = monitor.recent().get(0);
    assertEquals(500, reopen.phaseNanos().get(ReopenPhase.WARM));
    assertEquals(900, reopen.phaseNanos().get(ReopenPhase.RELEASE));
    assertEquals(900, reopen.finishedNanos() - reopen.visibleNanos().orElseThrow());
  }

  @Test
  void searcherFactory_ofNone_makesLucenesOwnSearchers() throws Exception {
    open();
    try (IndexReader reader = DirectoryReader.open(index.writer)) {
      assertEquals(reader, phases.searcherFactory().newSearcher(reader, null).getIndexReader());
    }
  }

  @Test
  void searcherFactory_warmingFails_theReopenByTheManagerIsFailed() throws Exception {
    open();
    warm =
        () -> {
          throw new IOException("cannot warm");
        };
    index.add();
    assertThrows(IOException.class, searchers::maybeRefresh);
    assertEquals(ReopenResult.FAILED, monitor.recent().get(0).result());
    assertFalse(monitor.recent().get(0).phaseNanos().containsKey(ReopenPhase.WARM));
    warm = () -> {};
  }

  @Test
  void infoStream_flushFails_theReopenByTheManagerIsFailedWithoutPhases() throws Exception {
    open();
    index.add();
    index.writer.deleteDocuments(
        new SlowQuery(0) {
          @Override
          public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
              throws IOException {
            throw new IOException("cannot delete");
          }
        });
    assertThrows(IOException.class, searchers::maybeRefresh);
    assertEquals(ReopenResult.FAILED, monitor.recent().get(0).result());
    assertEquals(Map.of(), monitor.recent().get(0).phaseNanos());
  }

  /** Whether the reader is current says nothing, once something new has come. */
  @Test
  void infoStream_somethingNewComesRightAfter_tellsThatThereWasNothing() throws Exception {
    open();
    monitor.close();
    boolean[] comes = new boolean[1];
    searchers.addListener(
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() {}

          @Override
          public void afterRefresh(boolean didRefresh) throws IOException {
            if (comes[0]) {
              index.add();
            }
          }
        });
    List<ReopenResult> results = new ArrayList<>();
    for (ReopenOptions options :
        List.of(ReopenOptions.defaults(), ReopenOptions.defaults().withPhases(phases))) {
      monitor = ReopenMonitor.attach(searchers, options, clock);
      index.writer.deleteDocuments(new SlowQuery(0));
      comes[0] = true;
      searchers.maybeRefresh();
      results.add(monitor.recent().get(0).result());
      monitor.close();
      comes[0] = false;
      searchers.maybeRefresh();
    }
    assertEquals(List.of(ReopenResult.UNCLEAR, ReopenResult.UNCHANGED), results);
  }

  /** The writer stays open, and the old reader is not current: nothing else tells the failure. */
  @Test
  void infoStream_writerBreaksOff_theReopenByTheManagerIsFailed() throws Exception {
    config.setMergePolicy(new MergeForEachReader());
    boolean[] fails = new boolean[1];
    config.setMergeScheduler(
        new SerialMergeScheduler() {
          @Override
          public synchronized void merge(MergeSource source, MergeTrigger trigger)
              throws IOException {
            if (fails[0]) {
              throw new IOException("cannot merge");
            }
            super.merge(source, trigger);
          }
        });
    open();
    index.add();
    searchers.maybeRefresh();
    index.add();
    fails[0] = true;
    assertThrows(IOException.class, searchers::maybeRefresh);
    fails[0] = false;
    assertTrue(index.writer.isOpen());
    assertEquals(ReopenResult.FAILED, monitor.recent().get(1).result());
  }

  /** Composing the text is work, for some of it under the writer's lock. */
  @Test
  void infoStream_delegateIsOff_asksForNothingBesideTheReopeningThread() throws Exception {
    open();
    InfoStream stream = config.getInfoStream();
    assertFalse(stream.isEnabled("IW"));
    List<Boolean> asked = new ArrayList<>();
    warm =
        () -> {
          asked.add(stream.isEnabled("IW"));
          asked.add(stream.isEnabled("BD"));
          asked.add(stream.isEnabled("DWPT"));
          asked.add(stream.isEnabled("MS"));
          Thread other = new Thread(() -> asked.add(stream.isEnabled("IW")));
          other.start();
          try {
            other.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    index.add();
    searchers.maybeRefresh();
    assertEquals(List.of(true, true, false, false, false), asked);
    assertFalse(stream.isEnabled("IW"));
    warm = () -> {};
    monitor.close();
    warm = () -> asked.add(stream.isEnabled("IW"));
    index.add();
    searchers.maybeRefresh();
    assertFalse(asked.getLast(), "after the monitor was closed");
  }

  @Test
  void infoStream_delegateIsOn_getsWhatItAskedForAndNothingElse() throws Exception {
    List<String> components = new ArrayList<>();
    boolean[] closed = {false};
    open(
        new InfoStream() {
          @Override
          public synchronized void message(String component, String message) {
            components.add(component);
          }

          @Override
          public boolean isEnabled(String component) {
            return component.equals("DW") || component.equals("BD");
          }

          @Override
          public void close() {
            closed[0] = true;
          }
        },
        true,
        true);
    index.add();
    index.update(0);
    searchers.maybeRefresh();
    assertEquals(Set.of("DW", "BD"), Set.copyOf(components));
    config.getInfoStream().close();
    assertTrue(closed[0]);
  }

  @Test
  void attach_phasesOfAnotherMonitor_isRefusedUntilThatIsClosed() throws Exception {
    open();
    ReopenOptions options = ReopenOptions.defaults().withPhases(phases);
    assertEquals(
        "phases must serve one monitor at a time: already attached",
        assertThrows(IllegalStateException.class, () -> ReopenMonitor.attach(searchers, options))
            .getMessage());
    monitor.close();
    monitor = ReopenMonitor.attach(searchers, options, clock);
    index.add();
    monitor.maybeRefresh();
    assertEquals(7, monitor.recent().get(0).phaseNanos().size());
  }

  private static long sum(Reopen reopen) {
    return reopen.phaseNanos().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Takes a million nanoseconds to create a file, a thousand to open one. */
  private final class TimedDirectory extends FilterDirectory {

    TimedDirectory() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      created++;
      clock.advanceNanos(CREATE_NANOS);
      return super.createOutput(name, context);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (!name.endsWith(".tmp")) { // those are part of a flush
        opened++;
        clock.advanceNanos(OPEN_NANOS);
      }
      return super.openInput(name, context);
    }
  }

  /** Has each reader of more than one segment wait until they are one. */
  private static final class MergeForEachReader extends TieredMergePolicy {

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) {
      MergeSpecification all = new MergeSpecification();
      if (infos.size() > 1 && context.getMergingSegments().isEmpty()) {
        all.add(new OneMerge(infos.asList()));
      }
      return all;
    }
  }

  /** Matches nothing, and takes a while for that. */
  private class SlowQuery extends Query {

    private final long nanos;

    SlowQuery(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
        throws IOException {
      clock.advanceNanos(nanos);
      return MatchNoDocsQuery.INSTANCE.createWeight(searcher, mode, boost);
    }

    @Override
    public String toString(String field) {
      return "slow";
    }

    @Override
    public void visit(QueryVisitor visitor) {}

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
