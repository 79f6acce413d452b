package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.SegmentFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;

/**
 * A directory whose commits sync their own files without the writer's lock. So a reopen, which
 * needs that lock, need not wait for a disk that a merge keeps busy.
 *
 * <p>An {@code IndexWriter} begins a commit by syncing the folder and {@code pending_segments_N}
 * under its lock. Then it syncs the files of the segments without the lock. Last, it renames {@code
 * pending_segments_N} and syncs the folder again, under the lock. This directory defers the first
 * two syncs until the files of the segments are synced. For the last one, which cannot be deferred,
 * merges leave the disk to the commit: see {@link #isACommitFinishing}.
 *
 * <p><b>Durability:</b> no reader opens {@code pending_segments_N} before it is renamed. So it and
 * the folder need only be on the disk by then, and {@link #rename} syncs what no other call has.
 * After a crash the index is that of the last commit or of the new one, as without this layer.
 *
 * <p>Put it above layers that write files in their {@link #sync}, such as a {@link
 * FlushedFilesDirectory}, so that it syncs the folder after all of them.
 *
 * <p><b>Threads:</b> as the directory below. A rename and a sync of other files wait while another
 * thread does the deferred syncs. <b>Ownership:</b> closing this closes the directory below; a
 * commit that was not finished is not synced.
 *
 * <p><b>Failure:</b> exceptions of the directory below, at the latest in {@link #rename}. A
 * deferred sync that failed is repeated by the next call that needs it, and fails the commit in any
 * case. If Lucene renames its methods, the folder is synced when it is asked for.
 *
 * <p>Source: {@code startCommit} and {@code finishCommit} of {@code IndexWriter} and {@code
 * SegmentInfos} in Lucene 10.5.1; LUCENE-8048 on the order of directory updates.
 */
public final class DeferredSyncDirectory extends ForwardingDirectory {

  private final FinishingCommits finishing;
  private final Set<String> files = new LinkedHashSet<>(); // guarded by this
  private boolean folder; // guarded by this

  /** Defers syncs of commits to {@code in}. */
  public DeferredSyncDirectory(Directory in) {
    this(in, FinishingCommits.PROCESS);
  }

  DeferredSyncDirectory(Directory in, FinishingCommits finishing) {
    super(in);
    this.finishing = finishing;
  }

  /**
   * Whether a commit in this process is about to finish under its writer's lock: a good time for
   * merges to pause. It begins with the sync of the list of segments, and again with its renaming,
   * and lasts for a quarter of a second at most each time. Does not block.
   */
  public static boolean isACommitFinishing() {
    return FinishingCommits.PROCESS.any();
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    if (names.size() == 1 && SegmentFiles.isPendingCommit(names.iterator().next())) {
      defer(names.iterator().next());
    } else {
      in.sync(names);
      syncDeferred();
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    if (CallingMethod.beginsACommit()) {
      deferFolder();
      return;
    }
    try {
      in.syncMetaData();
    } finally {
      finishing.ended(this);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (SegmentFiles.isPendingCommit(source)) {
      syncDeferred();
      finishing.begins(this); // an application may have prepared the commit long ago
    }
    in.rename(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    if (SegmentFiles.isPendingCommit(name)) {
      forget(name);
      finishing.ended(this);
    }
    in.deleteFile(name);
  }

  @Override
  public void close() throws IOException {
    finishing.ended(this);
    super.close();
  }

  private synchronized void defer(String file) {
    files.add(file);
  }

  private synchronized void deferFolder() {
    folder = true;
  }

  private synchronized void forget(String file) {
    files.remove(file);
  }

  /** Syncs what was deferred; the folder last, because it has the names of all files. */
  private synchronized void syncDeferred() throws IOException {
    if (!files.isEmpty()) {
      finishing.begins(this);
    }
    for (Iterator<String> each = files.iterator(); each.hasNext(); ) {
      String file = each.next();
      try {
        in.sync(List.of(file));
      } catch (NoSuchFileException | FileNotFoundException e) {
        if (List.of(in.listAll()).contains(file)) {
          throw e; // java.io says the same where too many files are open
        }
        // It was deleted without this directory; to rename it would fail.
      }
      each.remove();
    }
    if (folder) {
      in.syncMetaData();
      folder = false;
    }
  }
}
