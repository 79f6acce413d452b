package io.weir.store;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory in which what a merge writes goes to the disk while it is being written, so that it
 * never piles up in memory until the kernel flushes all of it in one burst, for which everybody
 * waits.
 *
 * <p>Smoothed are the lasting files of a merged segment, its compound file and segments copied by
 * {@code addIndexes(Directory...)}, from their first full range on: {@link MergeWrites} says which.
 * Left to the kernel are flushes and commits, files shorter than a range, and temporary files,
 * which as a rule are deleted before the kernel would write them.
 *
 * <p>Put it right above the {@code FSDirectory}, below a {@link RateLimitedDirectory}; over a
 * directory that is in no file system it does nothing. Which {@link WritebackMethod} is used, and
 * why, is found out when this is made, and logged once for each method. What a security policy
 * denies is such a reason, not a failure. With Java 24 and later, {@code
 * --enable-native-access=ALL-UNNAMED} spares a warning of Java's; without it a later Java may
 * refuse, and then {@link WritebackMethod#FDATASYNC} is used.
 *
 * <p>It is no promise that anything is on the disk: that is {@link #sync}. A sync that fails is
 * remembered for the file until the file is deleted or written anew, because the kernel may report
 * a lost write only once: a commit that is tried again fails too, instead of passing without its
 * data. Files are synced one at a time, so that the right one is remembered.
 *
 * <p><b>Threads:</b> as the directory below. Writes of merges wait when the disk is behind by more
 * than the window; an interrupt does not end that wait, the disk does.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. Each smoothed output holds one more
 * descriptor of its file while it is open.
 *
 * <p><b>Failure:</b> what the directory below throws. A fault of writeback itself ends it for that
 * file, is counted, is logged the first time, and fails no write. It is different when the kernel
 * reports that a part of a file could not be written:
 *
 * <ul>
 *   <li>A merge is aborted with a {@code MergeAbortedException}. Its segment is not published, its
 *       inputs stay, and the writer goes on. {@code forceMerge} fails with an {@code IOException}.
 *   <li>{@code addIndexes} fails and adds nothing.
 * </ul>
 */
public final class WritebackDirectory extends ForwardingDirectory {

  private final WritebackOptions options;
  private final NanoClock clock;
  private final WritebackMedium medium;
  private final MergeWrites mergeWrites = new MergeWrites();
  private final WritebackCounters ledger = new WritebackCounters();
  private final LostMerges lostMerges = new LostMerges();
  private final UnsyncedFiles unsynced = new UnsyncedFiles();

  /** Smooths what merges write to {@code in}, with {@link WritebackOptions#DEFAULT}. */
  public WritebackDirectory(Directory in) {
    this(in, WritebackOptions.DEFAULT);
  }

  /** Smooths what merges write to {@code in}. */
  public WritebackDirectory(Directory in, WritebackOptions options) {
    this(
        in,
        options,
        WritebackMethodLog.PROCESS.tell(WritebackMedium.of(in, options, ForeignLinuxCalls::get)),
        NanoClock.SYSTEM);
  }

  /** By a medium and a clock of the caller's. */
  WritebackDirectory(
      Directory in, WritebackOptions options, WritebackMedium medium, NanoClock clock) {
    super(in);
    this.options = options;
    this.medium = medium;
    this.clock = clock;
  }

  /** As given. */
  public WritebackOptions options() {
    return options;
  }

  /** How it is done here. */
  public WritebackMethod method() {
    return medium.method();
  }

  /** Why it is done so, in words. */
  public String methodReason() {
    return medium.reason();
  }

  /** What was done so far. */
  public WritebackSnapshot snapshot() {
    return ledger.snapshot(unsynced.failedFiles());
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    boolean ofMerge = context.context() == IOContext.Context.MERGE; // else a copy, or not ours
    if (ofMerge) {
      lostMerges.checkPublishing(name);
    }
    IndexOutput output = in.createOutput(name, context);
    lostMerges.forget(name);
    unsynced.created(name);
    return mergeWrites.includesOutput(name, context)
        ? smoothed(output, context, ofMerge ? lostMerges : WritebackDirectory::failCopy)
        : output;
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    if (medium.method() == WritebackMethod.NONE || !mergeWrites.includesCopy(context)) {
      in.copyFrom(from, src, dest, context);
      unsynced.created(dest);
      return;
    }
    boolean copied = false;
    try {
      try (IndexInput input = from.openInput(src, IOContext.READONCE);
          IndexOutput output = createCopyOutput(dest, context)) {
        output.copyBytes(input, input.length());
      }
      copied = true; // not before it is closed, which may fail as well
    } finally {
      if (!copied) {
        IOUtils.deleteFilesIgnoringExceptions(this, dest);
      }
    }
  }

  private IndexOutput createCopyOutput(String dest, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(dest, context);
    unsynced.created(dest);
    return smoothed(output, context, WritebackDirectory::failCopy);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    unsynced.failIfFailed(names);
    if (names.isEmpty()) {
      in.sync(names); // which may have more to do than that
    }
    for (String name : names) {
      try {
        in.sync(List.of(name));
      } catch (IOException e) {
        unsynced.failed(name, e);
        throw e;
      }
      unsynced.forget(name);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    in.rename(source, dest);
    unsynced.renamed(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    mergeWrites.deleted(name);
    lostMerges.forget(name);
    unsynced.forget(name);
  }

  /** Not as the abort of a merge: who copies has not asked for one. */
  private static void failCopy(String name, LostWriteException loss) throws IOException {
    throw new IOException(
        "a part of the copy " + name + " could not be written to disk: " + loss.getMessage(), loss);
  }

  private IndexOutput smoothed(IndexOutput output, IOContext context, LostWriteHandler losses) {
    return medium.method() == WritebackMethod.NONE
        ? output
        : new WritebackIndexOutput(
            output,
            new FileWriteback(
                output.getName(),
                medium,
                options.dropWritten().drops(context.mergeInfo()),
                ledger,
                losses,
                clock));
  }
}
