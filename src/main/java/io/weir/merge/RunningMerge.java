package io.weir.merge;

import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import io.weir.store.MergeClaim;
import io.weir.store.RateLimitedDirectory;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.store.Directory;

/**
 * One merge from its start to its end: who pays for it, what it wrote, how it waited.
 *
 * <p>Life: made when its thread is; {@link #payFrom} when the writer asks for the merge's
 * directory; {@link #writes} when its segment's name is known, which binds it to the directories;
 * {@link #unbind} when it has ended.
 *
 * <p><b>Threads:</b> all of the merge's, and those that look at it.
 */
final class RunningMerge implements BudgetListener {

  final OneMerge merge;
  final MergeSource source;
  final MergeKind kind;
  final RecentSpeed speed;

  /** On which it runs, as soon as there is one. */
  volatile Thread thread;

  /** That of the writer; null as long as the merge has not asked for its own. */
  private volatile Directory directory;

  private volatile boolean alone;

  private final long number;
  private final KindCounters counters;
  private final NanoClock clock;
  private final long startedNanos;
  private final MergeWaitStrategy wait;
  private final MergeYield yield;
  private final BooleanSupplier crowded;
  private final YieldPause aside;
  private final KindCounters.WrittenBytes written = new KindCounters.WrittenBytes();
  private final LongAdder pauses = new LongAdder();
  private final Set<String> created = ConcurrentHashMap.newKeySet();
  private final List<Binding> bindings = new ArrayList<>(); // guarded by this
  private String segment; // guarded by this
  private volatile boolean lifted; // written under this
  private volatile List<ByteBudget> budgets = List.of();

  private record Binding(RateLimitedDirectory directory, Thread thread, MergeClaim claim) {}

  RunningMerge(
      long number,
      OneMerge merge,
      MergeSource source,
      MergeKind kind,
      KindCounters counters,
      MergeYield yield,
      BooleanSupplier crowded,
      NanoClock clock) {
    this.number = number;
    this.merge = merge;
    this.source = source;
    this.kind = kind;
    this.counters = counters;
    this.clock = clock;
    this.startedNanos = clock.nanoTime();
    this.speed = new RecentSpeed(startedNanos);
    this.wait = new MergeWaitStrategy(merge.getMergeProgress(), this::isStopped);
    this.yield = yield;
    this.crowded = crowded;
    this.aside = new YieldPause(yield, wait, this::hurries, clock);
  }

  /**
   * The merge writes through {@code writers}.
   *
   * @param isAlone whether nothing in there charges
   */
  void wrapped(Directory writers, boolean isAlone) {
    alone = isAlone;
    directory = writers;
  }

  /** The writer's directory; null if the merge has not begun to write. */
  Directory directory() {
    return directory;
  }

  /** Whether only what passes the merge's own directory is charged. */
  boolean isAlone() {
    return alone;
  }

  /**
   * On the merge's thread: makes budgets of the merge's own, and claims for the directories that
   * its bytes pass. Each budget is charged in one of them.
   */
  synchronized void payFrom(MergeBudgets shares, List<RateLimitedDirectory> directories) {
    List<ByteBudget> payers =
        shares.payers(directories.stream().map(RateLimitedDirectory::budget).toList());
    List<ByteBudget> mine = new ArrayList<>();
    List<ByteBudget> left = new ArrayList<>(payers);
    for (RateLimitedDirectory directory : directories) {
      boolean first = bindings.isEmpty();
      List<ByteBudget> charged = new ArrayList<>();
      for (ByteBudget payer : payers) {
        boolean ofNoDirectory = directories.stream().noneMatch(d -> d.budget() == payer);
        if ((payer == directory.budget() || first && ofNoDirectory) && left.remove(payer)) {
          ByteBudget own = shares.forMerge(payer, kind);
          own.addListener(this);
          own.setPacing(lifted ? Pacing.DEBITED : Pacing.PACED);
          charged.add(own);
        }
      }
      mine.addAll(charged);
      MergeClaim claim = (maxBytes, part) -> pay(charged, maxBytes, part, first);
      bindings.add(new Binding(directory, Thread.currentThread(), claim));
      directory.bind(Thread.currentThread(), claim);
    }
    budgets = List.copyOf(mine);
    if (merge.getMergeInfo() != null) {
      writes(merge.getMergeInfo().info.name);
    }
  }

  /** The merge writes files of this segment: from now on they are its own. */
  synchronized void writes(String segmentName) {
    if (segment == null) {
      segment = Objects.requireNonNull(segmentName, "segmentName");
      bindings.forEach(b -> b.directory().bind(segment, b.claim()));
    }
  }

  /** What it asks before it writes. */
  MergeYield yield() {
    return yield;
  }

  synchronized void unbind() {
    bindings.forEach(b -> b.directory().unbind(b.thread(), b.claim()));
    if (segment != null) {
      bindings.forEach(b -> b.directory().unbind(segment, b.claim()));
    }
  }

  /** Never waits again; what it writes is owed. */
  synchronized void lift() {
    lifted = true;
    budgets.forEach(b -> b.setPacing(Pacing.DEBITED));
  }

  /** Counts bytes that were written past the claims, and debits them. */
  void debit(long bytes, MergeClaim.Part part) throws InterruptedException {
    lift();
    for (ByteBudget budget : budgets) {
      for (long left = bytes; left > 0; ) {
        left -= budget.acquire(left);
      }
    }
    count(bytes, part);
  }

  /** The files it has made and not deleted, temporary ones included. */
  Set<String> created() {
    return created;
  }

  long lastingBytes() {
    return written.lasting();
  }

  long writtenBytes() {
    return written.all();
  }

  long elapsedNanos() {
    return clock.nanoTime() - startedNanos;
  }

  /** What the merged segment is expected to take; empty when that is not known. */
  OptionalLong estimatedBytes() {
    // Lucene has 0 for merges of readers: it adds up segments, and they have none.
    return kind == MergeKind.OTHER || merge.estimatedMergeBytes < 0
        ? OptionalLong.empty()
        : OptionalLong.of(merge.estimatedMergeBytes);
  }

  MergeTotals totals(MergeTotals.Outcome outcome) {
    return new MergeTotals(
        number,
        kind,
        segment(),
        estimatedBytes(),
        written.all(),
        written.temporary(),
        written.compound(),
        pauses.sum(),
        budgets.stream().mapToLong(b -> b.snapshot().waitNanos()).sum() + aside.pausedNanos(),
        Duration.ofNanos(elapsedNanos()),
        outcome);
  }

  @Override
  public void waitStarted(long requestedBytes) {
    pauses.increment();
    counters.pauseStarted();
  }

  @Override
  public void waitEnded(long grantedBytes, long waitNanos) {
    counters.pauseEnded(waitNanos);
  }

  private synchronized Optional<String> segment() {
    return Optional.ofNullable(segment);
  }

  /** The first directory's claim counts; a byte passes all of them. */
  private long pay(List<ByteBudget> charged, long maxBytes, MergeClaim.Part part, boolean counts)
      throws InterruptedException, MergeAbortedException {
    if (counts) {
      standAside();
    }
    merge.checkAborted();
    long bytes = Math.min(maxBytes, ByteBudget.MAX_GRANT_BYTES);
    for (int i = 0; i < charged.size(); i++) {
      long granted = 0;
      while (granted < bytes) {
        long now = charged.get(i).acquire(bytes - granted, wait);
        merge.checkAborted();
        granted += now;
        if (i == 0) {
          bytes = granted;
        }
      }
    }
    if (counts) {
      count(bytes, part);
    }
    return bytes;
  }

  /** Before the merge reads on to verify its input: it may stand aside, and ends if aborted. */
  void beforeRead() throws MergeAbortedException {
    try {
      standAside();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its next write tells Lucene
    }
    merge.checkAborted();
  }

  private void standAside() throws InterruptedException {
    long nanos = aside.pause();
    if (nanos > 0) {
      pauses.increment();
      counters.pauseStarted();
      counters.pauseEnded(nanos);
    }
  }

  /** Whether a reader, or indexing itself, waits for it. */
  private boolean hurries() {
    return lifted || kind == MergeKind.CRITICAL || crowded.getAsBoolean();
  }

  private void count(long bytes, MergeClaim.Part part) {
    written.add(bytes, part);
    counters.written.add(bytes, part);
    if (part == MergeClaim.Part.LASTING) {
      speed.add(bytes, clock.nanoTime());
    }
  }

  private boolean isStopped() {
    return budgets.stream()
        .flatMap(b -> Stream.iterate(b, Objects::nonNull, up -> up.parent().orElse(null)))
        .anyMatch(b -> b.rate().equals(Rate.PAUSED));
  }
}
