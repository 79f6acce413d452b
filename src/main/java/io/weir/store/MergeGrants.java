package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.rate.WaitStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The grants of one budget to one merge. A merge waits for them while it writes its files, but not
 * for long when it closes one.
 *
 * <p>A merge that has failed closes its files too, and codecs then write footers and all that they
 * have gathered. No one needs those bytes, and the failure is not reported before they have passed.
 * Neither an output nor a codec knows whether a merge has failed. So what is written while
 * something is being closed passes without a grant if none comes within a second, or if the budget
 * is paused. It is debited: the next grants pay for it. These are the ends of a few files, also of
 * merges that succeed: {@link #MOST_ENDS} pieces without a grant in between. Then the merge waits
 * in any case.
 *
 * <p><b>Threads:</b> any; {@link #acquire} and {@link #grant} wait. <b>Ownership:</b> one for each
 * merge and budget; one for all merges of a directory whose merges are unknown. The budget belongs
 * to its creator. <b>Failure:</b> an interrupt ends a wait, and takes nothing.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentMerger}, whose consumers are closed by {@code
 * try}-with-resources; {@code Lucene90DocValuesConsumer.close} and {@code
 * Lucene103BlockTreeTermsWriter.close}, which write first.
 */
public final class MergeGrants {

  /** Pieces of at most {@link ByteBudget#MAX_GRANT_BYTES} that pass, in all a megabyte. */
  static final int MOST_ENDS = 32;

  /** So long a merge that closes something waits for a grant; not at all while there are none. */
  static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

  private final ByteBudget budget;
  private final WaitStrategy wait;
  private final WaitStrategy impatient = new Impatient();

  /** The pieces that have passed since the last grant. */
  private final AtomicInteger ends = new AtomicInteger();

  /**
   * Grants of {@code budget}.
   *
   * @param wait how the merge waits for them
   */
  public MergeGrants(ByteBudget budget, WaitStrategy wait) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.wait = Objects.requireNonNull(wait, "wait");
  }

  /** The budget. */
  public ByteBudget budget() {
    return budget;
  }

  /**
   * Waits until some of {@code maxBytes} may pass.
   *
   * @return how many may pass now; 0 only when {@link WaitStrategy#isCancelled}
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  public long acquire(long maxBytes) throws InterruptedException {
    OptionalLong granted = grant(maxBytes);
    return granted.isPresent() ? granted.getAsLong() : debitPiece(maxBytes);
  }

  /**
   * As {@link #acquire}, but debits nothing.
   *
   * @return empty if the calling thread closes something: it must not wait, and takes nothing
   */
  public OptionalLong grant(long maxBytes) throws InterruptedException {
    if (ends.get() > 0 && mayEnd() && CallingMethod.closes()) {
      return OptionalLong.empty();
    }
    long granted;
    try {
      granted = budget.acquire(maxBytes, impatient);
    } catch (OnTheWayOut e) {
      return OptionalLong.empty();
    }
    if (granted > 0 && ends.get() > 0) {
      ends.set(0);
    }
    return OptionalLong.of(granted);
  }

  private long debitPiece(long maxBytes) {
    long bytes = Math.min(maxBytes, ByteBudget.MAX_GRANT_BYTES);
    ends.incrementAndGet();
    budget.debit(bytes);
    return bytes;
  }

  private boolean mayEnd() {
    return ends.get() < MOST_ENDS;
  }

  /** Looks once in each long wait whether the thread closes something. */
  private final class Impatient implements WaitStrategy {

    @Override
    public void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException {
      long patienceNanos = isPaused() ? 0 : PATIENCE_NANOS;
      if (patienceNanos > 0) {
        wait.await(Math.min(waitNanos, patienceNanos), stillWaiting);
      }
      if (waitNanos <= patienceNanos
          || !stillWaiting.getAsBoolean()
          || Thread.currentThread().isInterrupted()
          || isCancelled()) {
        return;
      }
      if (mayEnd() && CallingMethod.closes()) {
        throw OnTheWayOut.INSTANCE;
      }
      wait.await(waitNanos == Long.MAX_VALUE ? waitNanos : waitNanos - patienceNanos, stillWaiting);
    }

    private boolean isPaused() {
      for (Optional<ByteBudget> b = Optional.of(budget); b.isPresent(); b = b.get().parent()) {
        if (b.get().rate().state() == Rate.State.PAUSED) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void wakeUp(Thread thread) {
      wait.wakeUp(thread);
    }

    @Override
    public boolean isCancelled() {
      return wait.isCancelled();
    }
  }

  /** Ends a wait; the budget passes it on, and takes nothing. */
  private static final class OnTheWayOut extends RuntimeException {

    static final OnTheWayOut INSTANCE = new OnTheWayOut();

    private static final long serialVersionUID = 1;

    private OnTheWayOut() {
      super("no grant is waited for", null, false, false);
    }
  }
}
