package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.fakes.SteppedClock;
import io.weir.procfs.ThreadTimes;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.kernel.LinuxCalls;
import io.weir.stress.Await;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real merges compute in the idle class, and take the writer's lock in their own. */
@Timeout(60)
class MergeIdleClassTest {

  private final FakeScheduler kernel = new FakeScheduler();
  private final SteppedClock clock = new SteppedClock();
  private final List<Runnable> started = new ArrayList<>();
  private final MergeSchedulingClass idle = new MergeSchedulingClass(kernel, clock, started::add);
  private final ByteBudget budget = ByteBudget.unlimited();
  private final MergeLab.Recorder recorder = new MergeLab.Recorder();
  private final Directory disk = new ByteBuffersDirectory();
  private final RateLimitedDirectory directory = new RateLimitedDirectory(disk, budget);
  private final Map<String, Boolean> seen = new ConcurrentHashMap<>();

  /** What happens while a merge computes. */
  private Act whileItComputes = () -> {};

  private interface Act {
    void run() throws IOException;
  }

  @Test
  void merge_ofAScheduler_computesInTheClass_andFinishesInItsOwn() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    try (IndexWriter writer = writer(scheduler)) {
      merge(writer);
      await(scheduler);
    }

    assertEquals(
        Map.of(
            "computing", true,
            "part", true,
            "after the part", true,
            "compound file", false,
            "warmer", false,
            "finished", false),
        seen);
    assertNoneIdle(); // a thread of Lucene's pool has what it had
    MergeLab.check(disk, 2);
  }

  @Test
  void merge_thatIsTracked_computesInTheClass_andFinishesInItsOwn() throws Exception {
    permit();
    MergeTracker tracker = new MergeTracker(budget, idle, GraphMemory.OF_THIS_PROCESS);
    tracker.setIdleClass(true);
    tracker.addListener(recorder);
    TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);
    lab.scheduler.setMaxMergesAndThreads(4, 4);
    IndexWriterConfig config = observed(MergeLab.config(lab.scheduler));
    config.setMergePolicy(tracker.track(config.getMergePolicy()));
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      merge(writer);
      Await.until("the merge has ended", () -> recorder.finished.size() == 1);
    }

    assertTrue(seen.get("computing"));
    assertFalse(seen.get("compound file"));
    assertFalse(seen.get("warmer"));
    assertFalse(seen.get("finished"));
    assertNoneIdle();
    MergeLab.check(disk, 2);
  }

  @Test
  void merge_whenNothingIsSet_staysInItsOwnClass() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    scheduler.setIdleClass(false);
    try (IndexWriter writer = writer(scheduler)) {
      merge(writer);
    }

    assertFalse(seen.containsValue(true), seen::toString);
  }

  @Test
  void setIdleClass_offWhileAMergeComputes_givesItsClassBack() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    whileItComputes = () -> scheduler.setIdleClass(false);
    assertNotIdleThen(scheduler);
  }

  @Test
  void deadlineAtRisk_whileAMergeComputes_givesItsClassBack() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    whileItComputes = () -> scheduler.setYields(MergeKind.FORCED, false);
    assertNotIdleThen(scheduler);
  }

  @Test
  void setLifted_whileATrackedMergeComputes_givesItsClassBack() throws Exception {
    permit();
    MergeTracker tracker = new MergeTracker(budget, idle, GraphMemory.OF_THIS_PROCESS);
    tracker.setIdleClass(true);
    TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);
    whileItComputes = () -> tracker.setLifted(true);
    IndexWriterConfig config = observed(MergeLab.config(lab.scheduler));
    config.setMergePolicy(tracker.track(config.getMergePolicy()));
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      merge(writer);
    }

    assertTrue(seen.get("computing"));
    assertFalse(seen.get("after the act"));
  }

  /** The abort shows where the merge writes next; then Lucene takes the writer's lock. */
  @Test
  void rollback_whileAMergeComputes_endsItInItsOwnClass() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    IndexWriter writer = writer(scheduler);
    add(writer);
    writer.commit();
    budget.setRate(Rate.PAUSED);
    FutureTask<Void> merging = MergeLab.forceMerge(writer);
    Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);

    writer.rollback();

    assertTrue(seen.get("computing"));
    assertFalse(seen.get("finished"));
    assertNoneIdle();
    Await.until("who asked for the merge hears of it", merging::isDone);
    MergeLab.check(disk, 2);
  }

  @Test
  void merge_thatFails_leavesNoThreadInTheClass() throws Exception {
    for (Throwable failure :
        List.of(
            new IOException("test"), new IllegalStateException("test"), new OutOfMemoryError())) {
      MergeIdleClassTest test = new MergeIdleClassTest();
      test.whileItComputes = () -> throwIt(failure);
      test.fails();
    }
  }

  private void fails() throws Exception {
    RateLimitedMergeScheduler scheduler = new Quiet(budget, idle);
    permit();
    scheduler.setIdleClass(true);
    scheduler.addListener(recorder);
    IndexWriter writer = writer(scheduler);
    add(writer);
    writer.commit();
    MergeLab.forceMerge(writer);
    Await.until("the merge has ended", () -> recorder.finished.size() == 1);
    writer.rollback();

    assertTrue(seen.get("computing"));
    assertNoneIdle();
    MergeLab.check(disk, 2);
  }

  /** A reopen waits for it. */
  @Test
  void merge_thatAReopenWaitsFor_staysInItsOwnClass() throws Exception {
    RateLimitedMergeScheduler scheduler = scheduler();
    IndexWriterConfig config = MergeLab.config(scheduler);
    config.setMergePolicy(new AtFullFlush(config.getMergePolicy()));
    observed(config).setMaxFullFlushMergeWaitMillis(20_000);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.addDocument(MergeLab.document(0));
      writer.flush();
      writer.addDocument(MergeLab.document(1));
      DirectoryReader.open(writer).close();
      await(scheduler);
      assertEquals(1, scheduler.totals(MergeKind.CRITICAL).done());
    }

    assertFalse(seen.get("computing"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledForJreRange(minVersion = 22)
  void merge_onThisKernel_isInTheClassWhileItComputes_andOutOfItBeforeAndAfter() throws Exception {
    MergeSchedulingClass real =
        new MergeSchedulingClass(
            new Calm(ThreadScheduler.OF_THIS_MACHINE),
            NanoClock.SYSTEM,
            task -> DaemonThreads.unstarted("idle class of the test", task).start());
    RateLimitedMergeScheduler scheduler =
        new RateLimitedMergeScheduler(budget, NanoClock.SYSTEM, real, GraphMemory.OF_THIS_PROCESS);
    scheduler.setIdleClass(true);
    scheduler.addListener(recorder);
    Map<String, Integer> policies = new ConcurrentHashMap<>();
    whileItComputes =
        () -> {
          Await.until(
              "the class is entered or refused",
              () -> policyOfThisThread() == LinuxCalls.SCHED_IDLE || !tries(real));
          policies.put("computing", policyOfThisThread());
          Thread heir =
              new Thread(
                  () -> {
                    Await.until(
                        "the heir is free", () -> policyOfThisThread() == LinuxCalls.SCHED_OTHER);
                    policies.put("heir", policyOfThisThread());
                  });
          heir.start();
          try {
            heir.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    IndexWriterConfig config = observed(MergeLab.config(scheduler));
    config.setMergedSegmentWarmer(reader -> policies.put("warmer", policyOfThisThread()));
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      merge(writer);
      await(scheduler);
    }

    assertEquals(LinuxCalls.SCHED_OTHER, policies.get("warmer"));
    assumeTrue(real.isActive(), real.reason());
    assertEquals(LinuxCalls.SCHED_IDLE, policies.get("computing"));
    assertEquals(LinuxCalls.SCHED_OTHER, policies.get("heir"), "a thread inherits the class");
    assertEquals(LinuxCalls.SCHED_OTHER, policyOfThisThread());
  }

  private static boolean tries(MergeSchedulingClass real) {
    return real.isActive() || real.reason().contains("asked");
  }

  /** See proc_pid_stat(5): of the fields after the name, the policy is number 38. */
  private static int policyOfThisThread() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private RateLimitedMergeScheduler scheduler() throws InterruptedException {
    permit();
    RateLimitedMergeScheduler scheduler =
        new RateLimitedMergeScheduler(budget, NanoClock.SYSTEM, idle, GraphMemory.OF_THIS_PROCESS);
    scheduler.setIdleClass(true);
    scheduler.addListener(recorder);
    return scheduler;
  }

  /** The trial succeeds before any merge begins. */
  private void permit() throws InterruptedException {
    assertTrue(idle.begins(() -> true, () -> {}));
    idle.look(0);
    Thread trial = new Thread(started.get(1));
    trial.start();
    trial.join();
    idle.look(0);
    idle.ends();
  }

  private void assertNotIdleThen(RateLimitedMergeScheduler scheduler) throws IOException {
    try (IndexWriter writer = writer(scheduler)) {
      merge(writer);
      await(scheduler);
    }
    assertTrue(seen.get("computing"));
    assertFalse(seen.get("after the act"));
  }

  private IndexWriter writer(RateLimitedMergeScheduler scheduler) throws IOException {
    scheduler.setMaxMergesAndThreads(4, 4);
    return new IndexWriter(directory, observed(MergeLab.config(scheduler)));
  }

  private IndexWriterConfig observed(IndexWriterConfig config) {
    return config
        .setMergePolicy(new Observed(config.getMergePolicy()))
        .setMergedSegmentWarmer(reader -> see("warmer"));
  }

  private static void add(IndexWriter writer) throws IOException {
    for (int i = 0; i < 2; i++) {
      writer.addDocument(MergeLab.document(i));
      writer.flush();
    }
  }

  private static void merge(IndexWriter writer) throws IOException {
    add(writer);
    DirectoryReader.open(writer).close(); // from now on the writer pools readers, and warms them
    writer.forceMerge(1);
    writer.commit();
  }

  private void await(RateLimitedMergeScheduler scheduler) {
    Await.until("no merge runs", () -> scheduler.running().isEmpty());
  }

  private void see(String where) {
    seen.put(where, kernel.isIdle());
  }

  private void look() {
    idle.look(clock.nanoTime()); // in place of the watch
  }

  /** A thread of Lucene's pool leaves the class after it has shown the result of its part. */
  private void assertNoneIdle() {
    Await.until("no thread is in the class", kernel::hasNoneIdle);
  }

  private static void throwIt(Throwable failure) throws IOException {
    if (failure instanceof IOException expected) {
      throw expected;
    }
    if (failure instanceof RuntimeException unexpected) {
      throw unexpected;
    }
    throw (Error) failure;
  }

  /** This machine, but for what else keeps its processors busy during a test. */
  private record Calm(ThreadScheduler in) implements ThreadScheduler {

    @Override
    public int threadNumber() throws IOException {
      return in.threadNumber();
    }

    @Override
    public int policy(int thread) throws IOException {
      return in.policy(thread);
    }

    @Override
    public void setPolicy(int thread, int policy) throws IOException {
      in.setPolicy(thread, policy);
    }

    @Override
    public Optional<Boolean> mayReturn() {
      return in.mayReturn();
    }

    @Override
    public long started() {
      return in.started();
    }

    @Override
    public List<Integer> threads() {
      return in.threads();
    }

    @Override
    public Optional<ThreadTimes> times(int thread) {
      return in.times(thread).map(real -> new ThreadTimes(NanoClock.SYSTEM.nanoTime(), 0, true));
    }
  }

  /** Does not rethrow what merges of the test throw. */
  private static final class Quiet extends RateLimitedMergeScheduler {
    Quiet(ByteBudget budget, MergeSchedulingClass idle) {
      super(budget, NanoClock.SYSTEM, idle, GraphMemory.OF_THIS_PROCESS);
    }

    @Override
    protected void handleMergeException(Throwable failure) {}
  }

  /** Looks at threads of merges where they compute, and where they have the writer's lock. */
  private final class Observed extends OneMergeWrappingMergePolicy {

    Observed(MergePolicy in) {
      super(in, MergeIdleClassTest.this::observed);
    }

    @Override
    public boolean useCompoundFile(
        SegmentInfos infos, SegmentCommitInfo merged, MergeContext context) throws IOException {
      if (merged.info.getDiagnostics().get("source").equals("merge")) {
        see("compound file");
      }
      return super.useCompoundFile(infos, merged, context);
    }
  }

  private OneMerge observed(OneMerge merge) {
    return new ObservedMerge(merge);
  }

  private final class ObservedMerge extends OneMerge {

    ObservedMerge(OneMerge merge) {
      super(merge.segments);
    }

    @Override
    public void mergeInit() throws IOException {
      super.mergeInit();
      estimatedMergeBytes = 1L << 30; // large enough for threads within it
    }

    @Override
    public Sorter.DocMap reorder(CodecReader reader, Directory in, Executor executor)
        throws IOException {
      look();
      see("computing");
      CompletableFuture.runAsync(
              () -> {
                look();
                see("part");
              },
              executor)
          .join();
      look(); // to start a thread, the merge has left the class
      see("after the part");
      whileItComputes.run();
      if (seen.size() == 3) {
        look();
        if (!kernel.isIdle()) {
          see("after the act");
        }
      }
      return null;
    }

    @Override
    public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
      super.mergeFinished(success, segmentDropped);
      see("finished");
    }
  }

  /** Merges all segments when a reopen flushes, as part of it. */
  private static final class AtFullFlush extends FilterMergePolicy {

    AtFullFlush(MergePolicy in) {
      super(in);
    }

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
      return Optional.of(infos)
          .filter(all -> all.size() == 2)
          .map(
              all -> {
                MergeSpecification merges = new MergeSpecification();
                merges.add(new OneMerge(all.asList()));
                return merges;
              })
          .orElse(null);
    }
  }
}
