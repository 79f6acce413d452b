package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** If one of these fails with a newer Lucene, it has changed what the predicate goes by. */
class MergesTest {

  private final List<String> seen = new CopyOnWriteArrayList<>();

  @Test
  void forcedMergeOfFlushes_isToldApartBeforeAndAfter() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig().setMergeScheduler(new Seeing()))) {
        for (int i = 0; i < 2; i++) {
          writer.addDocument(new Document());
          writer.flush();
        }
        writer.forceMerge(1);
      }
      assertEquals(List.of("thread", "forced", "flushed 2", "incomplete", "complete"), seen);
      assertFalse(Merges.isFlushed(SegmentInfos.readLatestCommit(directory).info(0)));
    }
    assertFalse(Merges.isMergeThread(Thread.currentThread()));
  }

  private final class Seeing extends ConcurrentMergeScheduler {

    @Override
    protected void doMerge(MergeSource source, OneMerge merge) throws IOException {
      seen.add(Merges.isMergeThread(Thread.currentThread()) ? "thread" : "no thread");
      seen.add(
          Merges.isForced(merge) ? "forced" : Merges.isCritical(merge) ? "critical" : "natural");
      seen.add("flushed " + merge.segments.stream().filter(Merges::isFlushed).count());
      super.doMerge(source, merge);
      seen.add(Merges.isComplete(merge.getMergeInfo().info) ? "complete" : "incomplete at the end");
    }

    @Override
    public Directory wrapForMerge(OneMerge merge, Directory in) {
      seen.add(Merges.isComplete(merge.getMergeInfo().info) ? "complete too soon" : "incomplete");
      return super.wrapForMerge(merge, in);
    }
  }
}
