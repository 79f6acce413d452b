package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.SegmentFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.lucene.store.Directory;

/**
 * A directory whose commits sync their own files without the writer's lock. So a reopen, which
 * needs that lock, need not wait for a disk that a merge keeps busy.
 *
 * <p>An {@code IndexWriter} begins a commit by syncing the folder and {@code pending_segments_N}
 * under its lock. Then it syncs the files of the segments without the lock. Last, it renames {@code
 * pending_segments_N} and syncs the folder again, under the lock. This directory defers the first
 * two syncs until the files of the segments are synced. For the last one, which cannot be deferred,
 * merges on the same {@link Disk} leave that to the commit.
 *
 * <p><b>Durability:</b> no reader opens {@code pending_segments_N} before it is renamed. So it and
 * the folder need only be on the disk by then. A commit owes these two syncs itself: they are done
 * by the next sync of the thread that began the commit, or else by {@link #rename}. A sync of
 * another thread neither does them nor counts as them. After a crash the index is that of the last
 * commit or of the new one, as without this layer.
 *
 * <p>Put it above layers that write files in their {@link #sync}, such as a {@link
 * FlushedFilesDirectory}, so that it syncs the folder after all of them.
 *
 * <p><b>Threads:</b> as the directory below; no call waits for another one here. <b>Ownership:</b>
 * closing this closes the directory below; a commit that was not finished is not synced.
 * <b>Memory:</b> one entry per commit that has begun.
 *
 * <p><b>Failure:</b> exceptions of the directory below, at the latest in {@link #rename}, and only
 * in calls of the commit. A commit whose deferred sync failed owes all of it again. An interrupt
 * does not end a deferred sync of the folder. If Lucene renames its methods, the folder is synced
 * when it is asked for.
 *
 * <p>Source: {@code startCommit} and {@code finishCommit} of {@code IndexWriter} and {@code
 * SegmentInfos} in Lucene 10.5.1; LUCENE-8048 on the order of directory updates.
 */
public final class DeferredSyncDirectory extends ForwardingDirectory {

  /**
   * A commit that has begun, and owes its deferred syncs. It is replaced when its list is known.
   *
   * @param thread the id of the thread that began it
   * @param list the name of its list of segments, once that is written
   * @param folder whether the sync of the folder was deferred
   */
  private record Begun(long thread, Optional<String> list, boolean folder) {}

  private final Disk.FinishingCommits finishing;
  private final Object token = new Object(); // does not keep this directory in memory
  private final Set<Begun> begun = ConcurrentHashMap.newKeySet();

  /** The id of the thread that renames the list of a commit and then syncs the folder. */
  private volatile OptionalLong finisher = OptionalLong.empty();

  /** Defers syncs of commits to {@code in}. */
  public DeferredSyncDirectory(Directory in) {
    this(in, Disk.of(in).commits());
  }

  DeferredSyncDirectory(Directory in, Disk.FinishingCommits finishing) {
    super(in);
    this.finishing = finishing;
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    if (names.size() == 1 && SegmentFiles.isPendingCommit(names.iterator().next())) {
      deferList(names.iterator().next());
    } else {
      in.sync(names);
      syncDeferred(commit -> commit.thread() == thisThread());
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    if (CallingMethod.beginsACommit()) {
      forget(this::hasNoList); // one that failed before it had a list
      begun.add(new Begun(thisThread(), Optional.empty(), true));
      return;
    }
    try {
      in.syncMetaData();
    } finally {
      if (finisher.equals(OptionalLong.of(thisThread()))) {
        finisher = OptionalLong.empty();
        finishing.ended(token);
      }
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (SegmentFiles.isPendingCommit(source)) {
      syncDeferred(commit -> has(commit, source) || hasNoList(commit));
      finisher = OptionalLong.of(thisThread());
      finishing.begins(token); // an application may have prepared the commit long ago
    }
    in.rename(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    if (SegmentFiles.isPendingCommit(name)) {
      finishing.ended(token);
    }
    in.deleteFile(name);
    forget(commit -> has(commit, name));
  }

  @Override
  public void close() throws IOException {
    finishing.ended(token);
    super.close();
  }

  private void deferList(String name) {
    boolean folder = begun.contains(new Begun(thisThread(), Optional.empty(), true));
    forget(commit -> has(commit, name) || hasNoList(commit));
    begun.add(new Begun(thisThread(), Optional.of(name), folder));
  }

  private void forget(Predicate<Begun> which) {
    begun.removeIf(which);
  }

  private static boolean has(Begun commit, String list) {
    return commit.list().filter(list::equals).isPresent();
  }

  /** Whether the calling thread has begun this commit, and not written its list yet. */
  private boolean hasNoList(Begun commit) {
    return commit.thread() == thisThread() && commit.list().isEmpty();
  }

  /** Syncs what these commits owe; the folder last, because it has the names of all files. */
  private void syncDeferred(Predicate<Begun> which) throws IOException {
    for (Begun commit : begun) {
      if (which.test(commit)) {
        if (commit.list().isPresent()) {
          finishing.begins(token);
          syncList(commit.list().get());
        }
        if (commit.folder()) {
          syncFolder(in);
        }
        begun.remove(commit);
      }
    }
  }

  private void syncList(String name) throws IOException {
    try {
      in.sync(List.of(name));
    } catch (NoSuchFileException | FileNotFoundException e) {
      if (List.of(in.listAll()).contains(name)) {
        throw e; // java.io says the same where too many files are open
      }
      // It was deleted without this directory; to rename it would fail.
    }
  }

  private static long thisThread() {
    return Thread.currentThread().threadId();
  }
}
