package io.weir.agent.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.agent.AgentLog;
import io.weir.agent.process.Setup;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterSetupTest {

  @TempDir Path temp;

  private final ByteBudget budget = ByteBudget.perSecond(40_000_000);
  private final ProcessorShare processors = ProcessorShare.unlimited();
  private final WriterSetup capping = setup(true);
  private final WriterSetup measuring = setup(false);

  private WriterSetup setup(boolean capped) {
    return new WriterSetup(
        new Setup(
            budget, processors, capped, true, Duration.ofMillis(50), new SimpleMeterRegistry()));
  }

  @Test
  void prepare_measuring_replacesTheSchedulerAlone_withItsSettings() throws Exception {
    ConcurrentMergeScheduler own = new ConcurrentMergeScheduler();
    own.setMaxMergesAndThreads(9, 3);
    own.setForceMergeMBPerSec(7);
    own.enableAutoIOThrottle();
    IndexWriterConfig config = new IndexWriterConfig().setMergeScheduler(own);
    long wait = config.getMaxFullFlushMergeWaitMillis();
    try (Directory files = FSDirectory.open(temp)) {
      assertSame(files, measuring.prepare(files, config));
    }

    RateLimitedMergeScheduler set = (RateLimitedMergeScheduler) config.getMergeScheduler();
    assertEquals(9, set.getMaxMergeCount());
    assertEquals(3, set.getMaxThreadCount());
    assertEquals(7, set.getForceMergeMBPerSec());
    assertTrue(set.getAutoIOThrottle());
    assertSame(budget, set.budget());
    assertFalse(set.hasIdleClass(), "measuring changes nothing else");
    assertEquals(wait, config.getMaxFullFlushMergeWaitMillis());
    assertSame(null, config.getMergedSegmentWarmer());
  }

  @Test
  void prepare_capping_givesTheWholeSetup() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig();
    try (Directory files = FSDirectory.open(temp)) {
      Directory prepared = capping.prepare(files, config);

      assertSame(
          budget, DirectoryPlan.find(prepared, RateLimitedDirectory.class).orElseThrow().budget());
    }
    RateLimitedMergeScheduler set = (RateLimitedMergeScheduler) config.getMergeScheduler();
    assertTrue(set.hasIdleClass());
    assertEquals(0, config.getMaxFullFlushMergeWaitMillis());
  }

  @Test
  void prepare_capping_anNrtCachingDirectory_staysAndItsMergesAreCapped() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig();
    try (Directory files = new NRTCachingDirectory(FSDirectory.open(temp), 1, 1)) {
      assertSame(files, capping.prepare(files, config));
    }
    assertTrue(config.getMergeScheduler() instanceof RateLimitedMergeScheduler);
    assertSaid(temp + ": merges are capped, but the directory stays, because it has an NRT");
  }

  @Test
  void prepare_capping_anIndexInMemory_isLeftAlone() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig();
    MergeScheduler before = config.getMergeScheduler();
    try (Directory memory = new ByteBuffersDirectory()) {
      assertSame(memory, capping.prepare(memory, config));
    }
    assertSame(before, config.getMergeScheduler());
    assertSaid("ByteBuffersDirectory: this writer is left as it is, because its index is in mem");
  }

  /** An application rolls back to a snapshot of its first writer, whose directory was wrapped. */
  @Test
  void prepare_capping_aCommitOfAnEarlierWriter_opensIt() throws Exception {
    SnapshotDeletionPolicy snapshots =
        new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
    try (Directory files = FSDirectory.open(temp)) {
      IndexWriterConfig first = new IndexWriterConfig().setIndexDeletionPolicy(snapshots);
      IndexCommit commit;
      try (IndexWriter writer = new IndexWriter(capping.prepare(files, first), first)) {
        writer.addDocument(new Document());
        writer.commit();
        commit = snapshots.snapshot();
        writer.addDocument(new Document());
      }
      assertNotSame(files, commit.getDirectory());

      IndexWriterConfig second =
          new IndexWriterConfig().setIndexDeletionPolicy(snapshots).setIndexCommit(commit);
      try (IndexWriter writer = new IndexWriter(capping.prepare(files, second), second)) {
        assertEquals(1, writer.getDocStats().numDocs);
      }
    }
  }

  @Test
  void prepare_capping_whatAnEarlierWriterHad_isNotWrappedTwice() throws Exception {
    IndexWriterConfig first = new IndexWriterConfig();
    try (Directory files = FSDirectory.open(temp)) {
      Directory prepared = capping.prepare(files, first);

      assertSame(prepared, capping.prepare(prepared, new IndexWriterConfig()));
      IndexWriterConfig third =
          new IndexWriterConfig().setMergeScheduler(first.getMergeScheduler());
      assertSame(prepared, capping.prepare(prepared, third));
      assertSame(first.getMergeScheduler(), third.getMergeScheduler());
    }
  }

  private static void assertSaid(String beginning) {
    assertTrue(
        AgentLog.lines().stream().anyMatch(line -> line.startsWith(beginning)),
        () -> beginning + " is none of " + AgentLog.lines());
  }
}
