package io.weir.store.reads;

import io.weir.store.pages.MergePages;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What the calling thread's merge is asked before it reads each piece of its input. A merge
 * scheduler or tracker sets it for the duration of the merge; a {@link
 * io.weir.store.MergeReadsDirectory} invokes it.
 *
 * <p><b>Threads:</b> each has its own.
 */
public final class MergeReadPacing {

  /** Can delay a merge that reads, or end it. */
  @FunctionalInterface
  public interface Pacer {

    /**
     * Returns when the calling thread, the merge's, may read the next few hundred KiB.
     *
     * @throws IOException if the merge must end
     */
    void beforeRead() throws IOException;
  }

  private record Merge(Pacer pacer, MergePages pages, DueVerification.OfMerge toVerify) {}

  private static final ThreadLocal<Merge> CURRENT = new ThreadLocal<>();

  private MergeReadPacing() {}

  /**
   * The calling thread begins to merge.
   *
   * @param liveShare of each segment of the input: the documents that are not deleted, as a share
   */
  public static void begin(Pacer pacer, ToDoubleFunction<String> liveShare) {
    Objects.requireNonNull(pacer, "pacer");
    CURRENT.set(new Merge(pacer, new MergePages(liveShare), new DueVerification.OfMerge()));
  }

  /** The calling thread has stopped merging. */
  public static void end() {
    Merge merge = CURRENT.get();
    CURRENT.remove();
    if (merge != null) {
      merge.pages().left();
    }
  }

  /**
   * The calling thread's merge, if it is one, is about to read.
   *
   * @throws IOException if the merge must end
   */
  public static void beforeRead() throws IOException {
    Pacer pacer = current();
    if (pacer != null) {
      pacer.beforeRead();
    }
  }

  /** The callback of the calling thread; null if it does not merge. */
  public static Pacer current() {
    Merge merge = CURRENT.get();
    return merge == null ? null : merge.pacer();
  }

  /** What readers had of the input of the calling thread's merge; empty if it does not merge. */
  public static Optional<MergePages> pages() {
    return Optional.ofNullable(CURRENT.get()).map(Merge::pages);
  }

  /** How the calling thread's merge verifies a file; null if it does so as Lucene does. */
  static DueVerification due(DueVerification.Checked file) {
    Merge merge = CURRENT.get();
    return merge == null ? null : merge.toVerify().of(file);
  }

  /**
   * The calling thread's merge, if it is one, has read what it needs of its input: verifies what
   * was put off, and not used.
   *
   * @throws IOException if the input is damaged, or the merge must end
   */
  public static void verifyRest() throws IOException {
    Merge merge = CURRENT.get();
    if (merge != null) {
      merge.toVerify().verifyRest(merge.pacer()::beforeRead);
    }
  }
}
