package io.weir.store;

import io.weir.lucene.SegmentFiles;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory in which every byte that a merge writes is first granted by a {@link ByteBudget}.
 *
 * <p>Charged, each byte once, before it reaches the directory below: the files of a merged segment,
 * its temporary files, its compound file, segments copied by {@code addIndexes(Directory...)}, the
 * end of a file when it is closed. Not charged and not slowed: flushes, commits, live documents,
 * and all reads. Which is which is decided by {@link MergeWrites}.
 *
 * <p>Put it directly above the directory that writes, and below an {@code NRTCachingDirectory},
 * which would otherwise hide merges from it. The copies of {@code addIndexes} that such a cache
 * takes apart are recognized all the same; what it holds in memory until a commit is not charged. A
 * merge scheduler with a budget finds it below any number of {@link FilterDirectory}s, but not
 * inside another kind, such as a {@code FileSwitchDirectory}: then both charge. Give one budget to
 * the directories of several indexes, and they share one cap.
 *
 * <p>A merge scheduler that knows which merge writes a segment may {@link #bind} a {@link
 * MergeLimiter} to the segment's name. What that merge writes is then charged through the claim, and
 * to it alone.
 *
 * <p><b>Threads:</b> as the directory below. Writes of merges wait for their grant; an interrupt
 * ends the wait with {@link org.apache.lucene.util.ThreadInterruptedException}. {@code
 * IndexWriter.close} waits for running merges, and {@code rollback} until they notice that they are
 * to stop. A scheduler that binds its merges lifts the cap for a close, and its merges notice a
 * stop at once. A merge that is not bound keeps to the cap, and notices a stop only every megabyte
 * or so that it writes: under a low cap set the rate to {@link io.weir.rate.Rate#UNLIMITED} first;
 * while the budget is paused both would wait for ever.
 *
 * <p><b>Ownership:</b> closing this closes the directory below; the budget stays with its maker.
 *
 * <p><b>Failure:</b> what the directory below throws. Nothing of Weir's own is thrown on a write
 * that would have succeeded.
 */
public final class RateLimitedDirectory extends ForwardingDirectory {

  private final ByteBudget budget;
  private final MergeWrites mergeWrites = new MergeWrites();
  private final Map<String, MergeLimiter> claims = new ConcurrentHashMap<>();
  private final Map<Thread, MergeLimiter> threads = new ConcurrentHashMap<>();
  private final AtomicReference<Runnable> unclaimed = new AtomicReference<>(() -> {});

  /** Charges what merges write to {@code in} to {@code budget}. */
  public RateLimitedDirectory(Directory in, ByteBudget budget) {
    super(in);
    this.budget = Objects.requireNonNull(budget, "budget");
  }

  /** The budget that is charged. */
  public ByteBudget budget() {
    return budget;
  }

  /**
   * From now on the files of a merge into {@code segment} are charged through {@code claim}: its
   * lasting files, its temporary files whatever their context, its compound file.
   */
  public void bind(String segment, MergeLimiter claim) {
    claims.put(segment, Objects.requireNonNull(claim, "claim"));
  }

  /** No more; files that are open stay with the claim. */
  public void unbind(String segment, MergeLimiter claim) {
    claims.remove(segment, claim);
  }

  /**
   * From now on temporary files that {@code thread} makes under any other name are charged through
   * {@code claim}: those of a merge policy that reorders documents do not bear the segment's.
   */
  public void bind(Thread thread, MergeLimiter claim) {
    threads.put(thread, Objects.requireNonNull(claim, "claim"));
  }

  /** No more; files that are open stay with the claim. */
  public void unbind(Thread thread, MergeLimiter claim) {
    threads.remove(thread, claim);
  }

  /**
   * Runs {@code action} once, on the thread that writes, when a merge creates a file here and no
   * claim is bound to its segment: the merge is run by a scheduler that does not know this. What
   * the action throws, the write throws.
   */
  public void whenUnclaimed(Runnable action) {
    unclaimed.set(Objects.requireNonNull(action, "action"));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    if (!mergeWrites.includesOutput(name, context)) {
      return output;
    }
    MergeLimiter claim = claims.get(SegmentFiles.segmentOf(name));
    if (claim != null) {
      return charged(output, claim, MergeWrites.partOf(name));
    }
    if (context.context() == IOContext.Context.MERGE) {
      unclaimed.getAndSet(() -> {}).run();
    }
    return charged(output);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    MergeLimiter claim =
        claims.getOrDefault(SegmentFiles.segmentOf(prefix), threads.get(Thread.currentThread()));
    if (claim != null && context.context() != IOContext.Context.FLUSH) {
      return charged(output, claim, MergeLimiter.Part.TEMPORARY);
    }
    return mergeWrites.includesTempOutput(prefix, context) ? charged(output) : output;
  }

  /**
   * Copies piece by piece as granted when the copy is charged; else as the directory below does.
   */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    if (!mergeWrites.includesCopy(context)) {
      in.copyFrom(from, src, dest, context);
      return;
    }
    boolean copied = false;
    try {
      try (IndexInput input = from.openInput(src, IOContext.READONCE);
          IndexOutput output = charged(in.createOutput(dest, context))) {
        output.copyBytes(input, input.length());
      }
      copied = true; // not before it is closed, which may fail as well
    } finally {
      if (!copied) {
        IOUtils.deleteFilesIgnoringExceptions(this, dest);
      }
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    in.deleteFile(name);
    mergeWrites.deleted(name);
  }

  private IndexOutput charged(IndexOutput output) {
    return new RateLimitedIndexOutput(output, budget);
  }

  private static IndexOutput charged(IndexOutput output, MergeLimiter claim, MergeLimiter.Part part) {
    return new RateLimitedIndexOutput(output, maxBytes -> claim.acquire(maxBytes, part));
  }
}
