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
 * merges on the same {@link Disk} leave that to the commit.
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
  private final Object commit = new Object(); // does not keep this directory in memory
  private final Set<String> files = new LinkedHashSet<>(); // guarded by this
  private boolean folder; // guarded by this

  /** Defers syncs of commits to {@code in}. */
  public DeferredSyncDirectory(Directory in) {
    this(in, Disk.of(in).commits());
  }

  DeferredSyncDirectory(Directory in, FinishingCommits finishing) {
    super(in);
    this.finishing = finishing;
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
      finishing.ended(commit);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (SegmentFiles.isPendingCommit(source)) {
      syncDeferred();
      finishing.begins(commit); // an application may have prepared the commit long ago
    }
    in.rename(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    if (SegmentFiles.isPendingCommit(name)) {
      forget(name);
      finishing.ended(commit);
    }
    in.deleteFile(name);
  }

  @Override
  public void close() throws IOException {
    finishing.ended(commit);
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
      finishing.begins(commit);
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
