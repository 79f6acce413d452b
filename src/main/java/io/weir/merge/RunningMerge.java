package io.weir.merge;

import io.weir.lucene.SegmentFiles;
import io.weir.lucene.VectorGraphs;
import io.weir.merge.ForcedMergeProgress.RecentSpeed;
import io.weir.merge.MergeProcessorTime.ThreadClock;
import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import io.weir.store.Disk;
import io.weir.store.MergeGrants;
import io.weir.store.MergeLimiter;
import io.weir.store.RateLimitedDirectory;
import io.weir.time.NanoClock;
import java.io.IOException;
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
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.Directory;

/**
 * One merge from start to end: the budgets it is charged to, the bytes it wrote, the time it
 * waited.
 *
 * <p>Life cycle: created with the merge's thread; {@link #payFrom} when the writer asks for the
 * merge's directory; {@link #writes} when the segment's name is known, which binds the merge to the
 * directories; {@link #unbind} when the merge has ended.
 *
 * <p><b>Threads:</b> those of the merge, and any that read its figures.
 */
final class RunningMerge implements BudgetListener {

  final OneMerge merge;
  final Optional<MergeSource> source;
  final MergeKind kind;
  final RecentSpeed speed;

  final MergeProcessorTime processor;

  final MergeThreads others;

  /** What it computes; it ends before the merge takes locks that readers and writers wait for. */
  final MergeSchedulingClass.OfMerge computing;

  /** Its vector graphs, which it builds when the heap has room. */
  final GraphMemory.OfMerge graphs;

  /** The thread that runs it; null until there is one. */
  volatile Thread thread;

  /** The writer's directory; null until the merge has asked for its own. */
  private volatile Directory directory;

  /** That of the directory; empty until the merge has asked for its own. */
  private volatile Optional<Disk> disk = Optional.empty();

  private volatile boolean alone;

  private final long number;
  private final KindCounters counters;
  private final NanoClock clock;
  private final long startedNanos;
  private final MergeWaitStrategy wait;
  private final MergeYield yield;
  private final BooleanSupplier crowded;
  private final YieldPause aside;
  private final MergeReadAccount reads;
  private final KindCounters.WrittenBytes written = new KindCounters.WrittenBytes();
  private final LongAdder pauses = new LongAdder();
  private final Set<String> created = ConcurrentHashMap.newKeySet();
  private final List<Binding> bindings = new ArrayList<>(); // guarded by this
  private String segment; // guarded by this
  private volatile boolean released; // written under this
  private volatile List<MergeGrants> grants = List.of();

  /** What it pays for its processor time; empty if nothing. */
  private volatile Optional<ProcessorAccount> processors = Optional.empty();

  private record Binding(RateLimitedDirectory directory, Thread thread, MergeLimiter limiter) {}

  RunningMerge(
      long number,
      OneMerge merge,
      MergeKind kind,
      Optional<MergeSource> source,
      KindCounters counters,
      MergeYield yield,
      MergeReadMeter meter,
      BooleanSupplier crowded,
      MergeSchedulingClass idleClass,
      BooleanSupplier idles,
      GraphMemory graphMemory,
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
    this.reads = new MergeReadAccount(meter, clock);
    this.processor = new MergeProcessorTime(ThreadClock.OF_THIS_JVM, counters.processorNanos);
    this.crowded = crowded;
    this.computing =
        idleClass.ofMerge(
            () ->
                idles.getAsBoolean() && kind != MergeKind.OTHER && !hurries() && !merge.isAborted(),
            counters.starved::increment);
    this.others = new MergeThreads(yield, processor, reads, computing);
    this.graphs =
        graphMemory.ofMerge(() -> VectorGraphs.heapBytes(merge), wait, this::hurries, counters);
    this.aside = new YieldPause(yield, wait, this::mayNotYield, this::isDiskNeededByCommits, clock);
  }

  /**
   * Remembers the directory that the merge writes to.
   *
   * @param writers the directory of the writer
   * @param isAlone whether no directory below the writer charges bytes
   */
  void wrapped(Directory writers, boolean isAlone) {
    alone = isAlone;
    directory = writers;
    disk = Optional.of(Disk.of(writers));
  }

  /** The writer's directory; null if the merge has not begun to write. */
  Directory directory() {
    return directory;
  }

  /** Whether only bytes that pass the merge's own directory are charged. */
  boolean isAlone() {
    return alone;
  }

  /**
   * Creates the merge's own budgets, and binds the merge to the directories that its bytes pass.
   * Each budget is charged by one directory. Called on the merge's thread.
   */
  synchronized void payFrom(MergeBudgets parents, List<RateLimitedDirectory> directories) {
    List<ByteBudget> payers =
        parents.payers(directories.stream().map(RateLimitedDirectory::budget).toList());
    List<MergeGrants> mine = new ArrayList<>();
    List<ByteBudget> left = new ArrayList<>(payers);
    for (RateLimitedDirectory directory : directories) {
      boolean first = bindings.isEmpty();
      List<MergeGrants> charged = new ArrayList<>();
      for (ByteBudget payer : payers) {
        boolean ofNoDirectory = directories.stream().noneMatch(d -> d.budget() == payer);
        if ((payer == directory.budget() || first && ofNoDirectory) && left.remove(payer)) {
          ByteBudget own = parents.forMerge(payer, kind);
          own.addListener(this);
          own.setPacing(released ? Pacing.DEBITED : Pacing.PACED);
          charged.add(new MergeGrants(own, wait));
        }
      }
      mine.addAll(charged);
      MergeLimiter limiter = new Limiter(charged, first);
      bindings.add(new Binding(directory, Thread.currentThread(), limiter));
      directory.bind(Thread.currentThread(), limiter);
    }
    grants = List.copyOf(mine);
    if (merge.getMergeInfo() != null) {
      writes(merge.getMergeInfo().info.name);
    }
  }

  /** Pays for its processor time from now on, out of this budget of its own. */
  synchronized void paysProcessors(ByteBudget ofMicros) {
    ProcessorAccount account = new ProcessorAccount(processor, ofMicros, wait, this, clock);
    processors = Optional.of(account);
  }

  /** Binds the files of this segment to the merge. */
  synchronized void writes(String segmentName) {
    if (segment == null) {
      segment = Objects.requireNonNull(segmentName, "segmentName");
      bindings.forEach(b -> b.directory().bind(segment, b.limiter()));
    }
  }

  /** The calling thread, its own or another one, does something for it. */
  void works() throws InterruptedException {
    if (Thread.currentThread() != thread) {
      others.works();
    }
    payForProcessor();
  }

  private void payForProcessor() throws InterruptedException {
    if (processors.isPresent()) {
      processors.get().pay();
    }
  }

  /**
   * Not with a graph that it has not paid for while it built it: it would hold it all that time.
   */
  private void payForProcessorWithoutGraph() throws InterruptedException {
    if (!graphs.isHeld()) {
      payForProcessor();
    }
  }

  /** The yield that the merge consults before it writes. */
  MergeYield yield() {
    return yield;
  }

  /** The calling thread merges, until {@link #leaves}. */
  void enters() {
    processor.begins();
    reads.begins();
  }

  /** The calling thread has stopped merging; what it has read and not yet paid for is debited. */
  void leaves() throws InterruptedException {
    computing.ends();
    others.finish();
    processor.finishes();
    processors.ifPresent(ProcessorAccount::end);
    reads.ends(Thread.currentThread());
    long bytes = reads.take();
    if (bytes > 0) {
      debit(bytes);
    }
  }

  /** Ends the merge if it was aborted: on the way out it takes locks too. */
  private void checkAborted() throws MergeAbortedException {
    if (merge.isAborted()) {
      computing.ends();
    }
    merge.checkAborted();
  }

  synchronized void unbind() {
    graphs.ends();
    bindings.forEach(b -> b.directory().unbind(b.thread(), b.limiter()));
    if (segment != null) {
      bindings.forEach(b -> b.directory().unbind(segment, b.limiter()));
    }
  }

  /** Ends all waiting: from now on the merge's bytes are debited. */
  synchronized void release() {
    released = true;
    grants.forEach(g -> g.budget().setPacing(Pacing.DEBITED));
    processors.ifPresent(ProcessorAccount::release);
  }

  /** Counts and debits bytes that were written without a grant. */
  void debit(long bytes, MergeLimiter.Part part) throws InterruptedException {
    debit(bytes);
    count(bytes, part);
  }

  /** Takes bytes from all budgets, which do not wait from now on. */
  private void debit(long bytes) throws InterruptedException {
    release();
    for (MergeGrants each : grants) {
      for (long left = bytes; left > 0; ) {
        left -= each.budget().acquire(left);
      }
    }
  }

  /** Of a segment of its input: the documents that are not deleted, as a share of all. */
  double liveShare(String name) {
    for (SegmentCommitInfo each : merge.segments) {
      if (each.info.name.equals(name) && each.info.maxDoc() > 0) {
        int deleted = each.getDelCount() + each.getSoftDelCount();
        return Math.clamp(1 - (double) deleted / each.info.maxDoc(), 0, 1);
      }
    }
    return 1;
  }

  /** The files that it has created and not deleted, including temporary ones. */
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

  /** The expected size of the merged segment; empty when unknown. */
  OptionalLong estimatedBytes() {
    // For merges of readers Lucene says 0: it adds up segments, and they have none.
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
        pauses(),
        Duration.ofNanos(elapsedNanos()),
        reads.total(),
        processor.totalNanos(),
        outcome);
  }

  /** Its pauses, whose time includes that of those in progress. */
  private MergePauses pauses() {
    long waitedNanos = grants.stream().mapToLong(g -> g.budget().snapshot().waitNanos()).sum();
    waitedNanos += processors.map(ProcessorAccount::waitNanos).orElse(0L);
    return new MergePauses(pauses.sum(), waitedNanos + aside.yieldedNanos());
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

  /** Charges the bytes of one directory. A byte passes all directories, but only one counts it. */
  private final class Limiter implements MergeLimiter {

    private final List<MergeGrants> charged;
    private final boolean counts;

    Limiter(List<MergeGrants> charged, boolean counts) {
      this.charged = charged;
      this.counts = counts;
    }

    @Override
    public void begins(String name) {
      if (SegmentFiles.isFieldInfos(name)) {
        computing.ends();
      }
      graphs.created(name);
    }

    @Override
    public void opens(String name) throws IOException, InterruptedException {
      graphs.opens();
      checkAborted();
    }

    @Override
    public long acquire(long maxBytes, Part part)
        throws InterruptedException, MergeAbortedException {
      if (Thread.currentThread() == thread) {
        others.end();
      }
      if (counts) {
        standAside();
        payForReads();
        payForProcessorWithoutGraph();
      }
      checkAborted();
      long bytes = Math.min(maxBytes, ByteBudget.MAX_GRANT_BYTES);
      for (int i = 0; i < charged.size(); i++) {
        long granted = 0;
        while (granted < bytes) {
          long now = grant(charged.get(i), bytes - granted);
          checkAborted();
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
  }

  /** Waits for a grant; a merge with a graph only owes it, as what it keeps others need. */
  private long grant(MergeGrants from, long bytes) throws InterruptedException {
    if (graphs.isHeld()) {
      from.budget().debit(bytes);
      return bytes;
    }
    return from.acquire(bytes);
  }

  /** Called before each verification read: the merge may yield, and ends if it was aborted. */
  void beforeRead() throws MergeAbortedException {
    try {
      standAside();
      payForReads();
      payForProcessorWithoutGraph();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its next write reports it to Lucene
    }
    checkAborted();
  }

  /** Waits for what the merge has read since the last time, unless it is on its way out. */
  private void payForReads() throws InterruptedException, MergeAbortedException {
    long bytes = reads.take();
    for (MergeGrants each : bytes == 0 ? List.<MergeGrants>of() : grants) {
      for (long left = bytes; left > 0; ) {
        OptionalLong granted = graphs.isHeld() ? OptionalLong.empty() : each.grant(left);
        checkAborted();
        if (granted.isEmpty()) {
          each.budget().debit(left);
        }
        left -= granted.orElse(left);
      }
    }
  }

  private void standAside() throws InterruptedException {
    long nanos = aside.pause();
    if (nanos > 0) {
      pauses.increment();
      counters.pauseStarted();
      counters.pauseEnded(nanos);
    }
  }

  private boolean isDiskNeededByCommits() {
    return disk.isPresent() && disk.get().isNeededByCommits();
  }

  /** Whether a reader, an indexing thread or a deadline waits for this merge. */
  private boolean hurries() {
    return released || kind == MergeKind.CRITICAL || crowded.getAsBoolean();
  }

  private boolean mayNotYield() {
    return graphs.isHeld() || hurries();
  }

  private void count(long bytes, MergeLimiter.Part part) {
    written.add(bytes, part);
    counters.written.add(bytes, part);
    if (part == MergeLimiter.Part.LASTING) {
      speed.add(bytes, clock.nanoTime());
    }
  }

  private boolean isStopped() {
    return grants.stream()
        .flatMap(g -> Stream.iterate(g.budget(), Objects::nonNull, up -> up.parent().orElse(null)))
        .anyMatch(b -> b.rate().equals(Rate.PAUSED));
  }
}
