package io.weir.store;

import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * A directory that acquires every byte that a merge writes from a {@link ByteBudget}.
 *
 * <p>Charged, each byte once and before it reaches the directory below: the files of a merged
 * segment including their last bytes, its temporary files, its compound file, and segments copied
 * by {@code addIndexes(Directory...)}. Not charged and not slowed down: flushes, commits, live
 * documents, and all reads. {@link FileStory} decides.
 *
 * <p>Put it directly above the directory that writes, and below an {@code NRTCachingDirectory},
 * which would otherwise hide merges from it. Such a cache splits the copies of {@code addIndexes},
 * but they are recognized all the same. Files that the cache holds in memory until a commit are not
 * charged. A merge scheduler with a budget finds this directory below any number of {@link
 * FilterDirectory}s, but not inside another kind, such as a {@code FileSwitchDirectory}; then both
 * charge. Several directories with one budget share one cap.
 *
 * <p>A merge scheduler or tracker that knows which merge writes a segment may {@link #bind} a
 * {@link MergeLimiter} to the segment's name. The merge's bytes are then charged only to that
 * limiter.
 *
 * <p>The graphs of vectors that an unbound merge writes are debited, because it has them on the
 * heap meanwhile.
 *
 * <p><b>Threads:</b> as the directory below. Merges wait in their writes; an interrupt ends the
 * wait with {@link org.apache.lucene.util.ThreadInterruptedException}. {@code IndexWriter.close}
 * waits for running merges, and {@code rollback} until they notice the abort. A scheduler that
 * binds its merges lifts the cap for a close, and its merges notice an abort at once. An unbound
 * merge stays under the cap, and checks for an abort only about once per megabyte. So set the rate
 * to {@link io.weir.rate.Rate#UNLIMITED} first if the cap is low; while the budget is paused, both
 * calls would wait for ever.
 *
 * <p><b>Ownership:</b> closing this closes the directory below; the budget belongs to its creator.
 *
 * <p><b>Failure:</b> exceptions of the directory below. Weir itself throws nothing on a write that
 * would have succeeded.
 */
public final class RateLimitedDirectory extends ForwardingDirectory {

  private final ByteBudget budget;
  private final MergeGrants grants;
  private final FileStory.MergingSegments merging = new FileStory.MergingSegments();
  private final Map<String, MergeLimiter> limiters = new ConcurrentHashMap<>();
  private final Map<Thread, MergeLimiter> threads = new ConcurrentHashMap<>();
  private final AtomicReference<Runnable> unclaimed = new AtomicReference<>(() -> {});
  private final AtomicInteger writers = new AtomicInteger(); // open ones: one, or none
  private volatile boolean closed;

  /** Charges the writes of merges in {@code in} to {@code budget}. */
  public RateLimitedDirectory(Directory in, ByteBudget budget) {
    super(in);
    this.budget = Objects.requireNonNull(budget, "budget");
    this.grants = new MergeGrants(budget, budget.parking());
  }

  /** The budget that is charged. */
  public ByteBudget budget() {
    return budget;
  }

  /** Whether this has not been closed. */
  public boolean isOpen() {
    return !closed;
  }

  /** Whether an open writer has this index: whether one took its lock here, and still has it. */
  public boolean hasWriter() {
    return writers.get() > 0;
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    Lock lock = in.obtainLock(name);
    return name.equals(IndexWriter.WRITE_LOCK_NAME) ? new WriterLock(lock) : lock;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    in.close();
  }

  /**
   * Charges the files of a merge into {@code segment} to {@code limiter} from now on: lasting
   * files, temporary files with any context, and the compound file.
   */
  public void bind(String segment, MergeLimiter limiter) {
    Objects.requireNonNull(segment, "segment");
    limiters.put(segment, Objects.requireNonNull(limiter, "limiter"));
  }

  /** Ends the binding of a segment; open files stay with the limiter. */
  public void unbind(String segment, MergeLimiter limiter) {
    Objects.requireNonNull(segment, "segment");
    Objects.requireNonNull(limiter, "limiter");
    limiters.remove(segment, limiter);
  }

  /**
   * Charges to {@code limiter}, from now on, what {@code thread} creates for a merge under a name
   * that is not bound. The first lasting file binds its segment: a merge of {@code
   * addIndexes(CodecReader...)} has no name before. Temporary files are charged under any name,
   * because a merge policy that reorders documents does not name them after the segment.
   */
  public void bind(Thread thread, MergeLimiter limiter) {
    Objects.requireNonNull(thread, "thread");
    threads.put(thread, Objects.requireNonNull(limiter, "limiter"));
  }

  /**
   * Ends the binding of a thread, and of the segments that it has bound; open files stay with the
   * limiter.
   */
  public void unbind(Thread thread, MergeLimiter limiter) {
    Objects.requireNonNull(thread, "thread");
    Objects.requireNonNull(limiter, "limiter");
    threads.remove(thread, limiter);
    limiters.values().removeIf(limiter::equals);
  }

  /**
   * Runs {@code action} once, on the writing thread, when a merge creates a file here and no
   * limiter is bound to its segment. Such a merge runs in a scheduler that does not know this
   * directory. An exception of the action fails the write.
   */
  public void whenUnclaimed(Runnable action) {
    unclaimed.set(Objects.requireNonNull(action, "action"));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    FileStory file = new FileStory(name, context);
    return switch (file.birth()) {
      case MERGE -> {
        merging.created(file);
        MergeLimiter bound = limiters.get(file.segment());
        MergeLimiter limiter = bound == null ? claimed(file.segment()) : bound;
        yield limiter == null && SegmentFiles.isVectorGraph(name)
            ? debited(output)
            : chargedLasting(file, output, limiter);
      }
      case COPY -> chargedLasting(file, output, limiters.get(file.segment()));
      case FLUSH, OTHER -> output;
    };
  }

  /**
   * @param limiter null if there is none
   */
  private IndexOutput chargedLasting(FileStory file, IndexOutput output, MergeLimiter limiter) {
    if (limiter == null) {
      return charged(output);
    }
    limiter.begins(file.name());
    return charged(
        output,
        limiter,
        SegmentFiles.isCompound(file.name())
            ? MergeLimiter.Part.COMPOUND
            : MergeLimiter.Part.LASTING);
  }

  /** The limiter of a merge's segment that is not bound; null if the calling thread has none. */
  private MergeLimiter claimed(String segment) {
    MergeLimiter limiter = threads.get(Thread.currentThread());
    if (limiter == null) {
      unclaimed.getAndSet(() -> {}).run();
    } else {
      limiters.put(segment, limiter);
    }
    return limiter;
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    MergeLimiter limiter =
        limiters.getOrDefault(SegmentFiles.segmentOf(prefix), threads.get(Thread.currentThread()));
    if (limiter != null && OpenHints.purpose(context) != OpenHints.Purpose.FLUSH) {
      limiter.begins(output.getName());
      return charged(output, limiter, MergeLimiter.Part.TEMPORARY);
    }
    return merging.includeTemporary(prefix, context) ? charged(output) : output;
  }

  /** A merge that reads what it has written may wait here, if its limiter says so. */
  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    MergeLimiter limiter = limiters.isEmpty() ? null : limiters.get(SegmentFiles.segmentOf(name));
    if (limiter != null) {
      try {
        limiter.opens(name);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ThreadInterruptedException(e);
      }
    }
    return in.openInput(name, context);
  }

  /**
   * Copies the granted pieces if the copy is charged; otherwise leaves the copy to the directory
   * below.
   */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    if (!FileStory.isRewritten(context)) {
      in.copyFrom(from, src, dest, context);
      return;
    }
    boolean copied = false;
    try {
      try (IndexInput input = MergeReadsDirectory.openCopied(in, from, src);
          IndexOutput output = charged(in.createOutput(dest, context))) {
        output.copyBytes(input, input.length());
      }
      copied = true; // only after the close, which may fail too
    } finally {
      if (!copied) {
        IOUtils.deleteFilesIgnoringExceptions(this, dest);
      }
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    merging.deleted(name);
  }

  /** The lock of a writer, which counts from now until it is closed. */
  private final class WriterLock extends Lock {

    private final Lock lock;
    private final AtomicInteger open = new AtomicInteger(1); // a lock may be closed twice

    WriterLock(Lock lock) {
      this.lock = lock;
      writers.incrementAndGet();
    }

    @Override
    public void ensureValid() throws IOException {
      lock.ensureValid();
    }

    @Override
    public void close() throws IOException {
      writers.addAndGet(-open.getAndSet(0));
      lock.close();
    }

    @Override
    public String toString() {
      return lock.toString();
    }
  }

  /** While a merge writes a graph it holds all of it on the heap, so it must not wait. */
  private IndexOutput debited(IndexOutput output) {
    return new RateLimitedIndexOutput(
        output,
        maxBytes -> {
          budget.debit(maxBytes);
          return maxBytes;
        });
  }

  private IndexOutput charged(IndexOutput output) {
    return new RateLimitedIndexOutput(output, grants::acquire);
  }

  private static IndexOutput charged(
      IndexOutput output, MergeLimiter limiter, MergeLimiter.Part part) {
    return new RateLimitedIndexOutput(output, maxBytes -> limiter.acquire(maxBytes, part));
  }
}
