package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.interleavings.Actors;
import io.weir.store.writeback.UnsyncedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.Version;

/** Threads that sync while a commit owes syncs of its own. */
final class CommitDebtsInterleavings {

  private final Disk.FinishingCommits finishing = new Disk.FinishingCommits(new AutoClock());

  /**
   * Another thread's syncs of the folder and of a file neither do those of the commit nor end it.
   */
  void commit_whileAnotherThreadSyncs_isOnTheDiskBeforeItIsRenamed() throws Exception {
    Directory directory = new DeferredSyncDirectory(new Durable(), finishing);
    Actors.run(
        () -> commit(directory),
        () -> {
          directory.syncMetaData();
          directory.sync(List.of());
        });
    assertFalse(finishing.any());
  }

  /** Two indexes on one disk: merges leave it to them until the last one has finished. */
  void commit_ofTwoIndexesOnADisk_countsUntilItsOwnEnd() throws Exception {
    Actors.Actor commit = () -> commit(new DeferredSyncDirectory(new Durable(), finishing));
    Actors.run(commit, commit);
    assertFalse(finishing.any());
  }

  /** The kernel reports a lost write to one of the two. */
  void sync_ofALostFileByTwo_failsForBoth() throws Exception {
    UnsyncedFiles files = new UnsyncedFiles(new NIOFSDirectory(Path.of("target")));
    files.created("_1.fdt");
    AtomicBoolean lost = new AtomicBoolean(true);
    IORunnable kernel =
        () -> {
          if (lost.getAndSet(false)) {
            throw new IOException("Input/output error");
          }
        };
    Actors.Actor sync = () -> assertThrows(IOException.class, () -> files.sync("_1.fdt", kernel));
    Actors.run(sync, sync);
    assertThrows(IOException.class, () -> files.failIfFailed(List.of("_1.fdt")));
  }

  /** It was deleted by the writer and written anew, while an old commit still syncs. */
  void create_whileTheOldFileFails_beginsAnew() throws Exception {
    UnsyncedFiles files = new UnsyncedFiles(new NIOFSDirectory(Path.of("target")));
    files.created("_1.fdt");
    Actors.run(
        () -> {
          try {
            files.sync(
                "_1.fdt",
                () -> {
                  throw new IOException("Input/output error");
                });
          } catch (IOException e) {
            // This one may fail.
          }
        },
        () -> {
          files.deleted("_1.fdt");
          files.created("_1.fdt");
        });
    files.created("_1.fdt");
    files.sync("_1.fdt", () -> {});
    files.failIfFailed(List.of("_1.fdt"));
  }

  /** As a writer does, without one. */
  private static void commit(Directory directory) throws IOException {
    SegmentInfos infos = new SegmentInfos(Version.LATEST.major);
    infos.commit(directory);
  }

  /**
   * Refuses to rename a list of segments that could still be lost, as far as the thread that
   * commits has done: what others synced does not count. Until that thread has synced the folder
   * once more, merges must leave the disk to it.
   */
  private final class Durable extends FilterDirectory {

    private final Set<String> synced = ConcurrentHashMap.newKeySet();
    private final Set<String> named = ConcurrentHashMap.newKeySet(); // in the folder on the disk
    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private volatile Thread finishes;

    Durable() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      created.add(name);
      return super.createOutput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      super.sync(names);
      names.forEach(name -> synced.add(own(name)));
    }

    @Override
    public void syncMetaData() throws IOException {
      assertTrue(finishes != Thread.currentThread() || finishing.any(), "not yet finished");
      Set<String> now = Set.copyOf(created); // a name that comes later is not covered
      super.syncMetaData();
      now.forEach(name -> named.add(own(name)));
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      assertTrue(finishing.any(), "about to finish");
      finishes = Thread.currentThread();
      assertTrue(synced.contains(own(source)), "the list is on the disk");
      assertTrue(named.contains(own(source)), "so is its name");
      super.rename(source, dest);
    }

    private String own(String name) {
      return name + " by thread " + Thread.currentThread().threadId();
    }
  }
}
