package io.weir.merge;

import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.util.SameThreadExecutorService;

/**
 * A concurrent merge scheduler with a budget: what pays for merges, and who goes first. The
 * settings may be changed at any time, but for the weight, and all but the yield act on merges that
 * run.
 *
 * <p>And what it takes to serve a second writer: Lucene's scheduler ends its executors with the
 * first.
 *
 * <p>Setters take what an XML configuration can give. <b>Threads:</b> any.
 */
public abstract class BudgetedMergeScheduler extends ConcurrentMergeScheduler {

  final ByteBudget budget;
  final MergeBudgets shares;
  private final AtomicBoolean yieldFailureTold = new AtomicBoolean();
  private volatile MergeYield yield = MergeYield.NEVER;

  BudgetedMergeScheduler(ByteBudget budget) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.shares = new MergeBudgets(budget);
  }

  /** The budget that pays. */
  public ByteBudget budget() {
    return budget;
  }

  /** Sets the cap of the budget: for all who share it. */
  public void setBytesPerSecond(long bytesPerSecond) {
    budget.setBytesPerSecond(bytesPerSecond);
  }

  /** The share of the budget relative to others' while they compete; before the first merge. */
  public void setShareWeight(int weight) {
    shares.setWeight(weight);
  }

  /** A cap of their own for natural merges, within the budget's. */
  public void setNaturalMergeBytesPerSecond(long bytesPerSecond) {
    shares.setRate(MergeKind.NATURAL, Rate.perSecond(bytesPerSecond));
  }

  /** A cap of their own for forced merges, within the budget's. */
  public void setForcedMergeBytesPerSecond(long bytesPerSecond) {
    shares.setRate(MergeKind.FORCED, Rate.perSecond(bytesPerSecond));
  }

  /** The rate of one kind of merges, within the budget's; critical ones have none. */
  public void setRate(MergeKind kind, Rate rate) {
    shares.setRate(notCritical(kind), Objects.requireNonNull(rate, "rate"));
  }

  /** Whether merges of one kind wait, or pass at once and are owed; critical ones never wait. */
  public void setPacing(MergeKind kind, Pacing pacing) {
    shares.setPacing(notCritical(kind), Objects.requireNonNull(pacing, "pacing"));
  }

  /** {@link #setPacing} of natural merges by name: {@code paced} or {@code debited}. */
  public void setNaturalMergePacing(String pacing) {
    setPacing(MergeKind.NATURAL, named(Pacing.class, "naturalMergePacing", pacing));
  }

  /** {@link #setPacing} of forced merges by name: {@code paced} or {@code debited}. */
  public void setForcedMergePacing(String pacing) {
    setPacing(MergeKind.FORCED, named(Pacing.class, "forcedMergePacing", pacing));
  }

  /**
   * What merges that begin from now on ask before they write or verify. Critical ones stand aside
   * never, and none does while indexing is about to stand still behind merges.
   */
  public void setYield(MergeYield yield) {
    this.yield = Objects.requireNonNull(yield, "yield");
  }

  /** That of merges that begin now. */
  final MergeYield yield() {
    return yield;
  }

  @Override
  public void close() throws IOException {
    super.close();
    synchronized (this) {
      intraMergeExecutor = null; // it is shut down; the next writer gets a new one
    }
  }

  @Override
  public Executor getIntraMergeExecutor(OneMerge merge) {
    Executor lucenes = intraMergeExecutor == null ? null : super.getIntraMergeExecutor(merge);
    // That of the calling thread is shut down as well, by a flag that nothing takes back.
    if (lucenes == null || lucenes instanceof SameThreadExecutorService) {
      return Runnable::run;
    }
    MergeYield told = yield;
    return task -> {
      IntraMergeTask helping = new IntraMergeTask(task, told, yieldFailureTold);
      try {
        lucenes.execute(helping);
      } catch (RejectedExecutionException e) {
        helping.run(); // another writer has closed meanwhile, and Lucene's threads with it
      }
    };
  }

  /** What {@code name}, in small letters or large, stands for. */
  static <E extends Enum<E>> E named(Class<E> choices, String setting, String name) {
    for (E choice : choices.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(name)) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        setting
            + " must be one of "
            + Arrays.toString(choices.getEnumConstants()).toLowerCase(Locale.ROOT)
            + ": "
            + name);
  }

  private static MergeKind notCritical(MergeKind kind) {
    if (kind == MergeKind.CRITICAL) {
      throw new IllegalArgumentException("kind must be one that may wait: " + kind);
    }
    return kind;
  }
}
