package io.weir.control;

import io.weir.control.FairShares.Demand;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One cap for all processes of a machine that name the same file: two nodes of a search engine on
 * one disk do not each take it all.
 *
 * <pre>{@code
 * try (SharedCap disk = SharedCap.join(Path.of("/var/lib/search/weir-cap"), Rate.perSecond(100_000_000))) {
 *   Weir weir = new Weir(disk.budget().child(BudgetOptions.named("products")));
 *   ...
 * }
 * }</pre>
 *
 * <p>Each process has a budget of its own, whose rate is its share; the shares never add up to more
 * than the cap. Ten times a second each process writes to the file what it could use, and takes its
 * share. If they want more than the cap, shares are by weight. What some do not use, the others
 * share. A process that begins to merge has its share after at most three tenths of a second. One
 * that ends or is killed leaves its share to the others as fast, because the kernel releases its
 * lock. A process that is stopped (by a debugger, {@code SIGSTOP} or a frozen container) keeps its
 * share.
 *
 * <p>If processes name different caps, the lowest one holds. The file must be on a file system of
 * this machine. Containers can share it through a volume.
 *
 * <p><b>Threads:</b> any may call every method; a daemon thread looks at the file.
 * <b>Ownership:</b> close it after the writers; the budget keeps its last rate, which no longer
 * counts for the others. A JVM joins a file once. <b>Failure:</b> if the file cannot be used later
 * on, that is logged once, and the process keeps its share.
 */
public final class SharedCap implements AutoCloseable {

  static final long TICK_NANOS = 100_000_000;

  private static final NanoClock CLOCK = NanoClock.SYSTEM;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int FIRST_TRIES = 100;
  private static final long TRY_AGAIN_NANOS = 2_000_000;

  /** What an idle process keeps of the cap, so that its first bytes need not wait. */
  private static final int IDLE_DIVISOR = 100;

  /** One that uses that much of its share, and waits, wants all that there is. */
  private static final double USES_ITS_SHARE = 0.8;

  private static final double HEADROOM = 2;
  private static final double FORGETS = 0.9;

  private final ShareFile file;
  private final ByteBudget budget;
  private final TickThread thread;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Rate cap;
  private volatile int weight = 1;
  private volatile SharedCapSnapshot last;
  private BudgetSnapshot seen; // of the thread that looks, as all below
  private long seenNanos;
  private double peakBytesPerSecond;

  /**
   * Joins the processes that share {@code file}, with weight 1.
   *
   * @param file created if it is missing; its directory must exist
   * @param cap for all of them together
   * @throws IllegalArgumentException if the cap is not a number of bytes per second
   * @throws IllegalStateException if this JVM has joined it already
   * @throws IOException if it is something else, cannot be written, or is shared by 32 processes
   */
  public static SharedCap join(Path file, Rate cap) throws IOException {
    Objects.requireNonNull(file, "file");
    return join(file, cap, TickThread.CLOSE_TIMEOUT);
  }

  static SharedCap join(Path file, Rate cap, Duration closeTimeout) throws IOException {
    requireLimited(cap);
    SharedCap shared = new SharedCap(ShareFile.open(file), cap, closeTimeout);
    try {
      shared.begin();
      return shared;
    } catch (IOException | RuntimeException e) {
      shared.close();
      throw e;
    }
  }

  private SharedCap(ShareFile file, Rate cap, Duration closeTimeout) {
    this.file = file;
    this.cap = cap;
    this.budget =
        new ByteBudget(
            BudgetOptions.named("shared cap").withRate(Rate.perSecond(Rate.MIN_BYTES_PER_SECOND)));
    this.seen = budget.snapshot();
    this.seenNanos = CLOCK.nanoTime();
    this.last = new SharedCapSnapshot(cap, budget.rate(), 1);
    this.thread =
        new TickThread(
            "weir-shared-cap", TICK_NANOS, CLOCK, closeTimeout, (now, lateNanos) -> tick(now));
  }

  private void begin() throws IOException {
    for (int i = 0; i < FIRST_TRIES && !look(CLOCK.nanoTime()); i++) {
      CLOCK.parkNanos(this, TRY_AGAIN_NANOS);
    }
    thread.start();
  }

  /**
   * The budget of this process. Its rate belongs to this object; create children for other caps.
   */
  public ByteBudget budget() {
    return budget;
  }

  /** Changes the cap for all processes; the lowest that one of them names holds. */
  public void setCap(Rate cap) {
    requireLimited(cap);
    this.cap = cap;
    thread.tickNow();
  }

  /**
   * Changes the share of this process relative to others.
   *
   * @param weight from 1 to {@link BudgetOptions#MAX_WEIGHT}
   */
  public void setWeight(int weight) {
    this.weight = BudgetOptions.named("share").withWeight(weight).weight();
    thread.tickNow();
  }

  /** As of the last tenth of a second. */
  public SharedCapSnapshot snapshot() {
    return last;
  }

  /** The file that the processes share. */
  public Path file() {
    return file.path();
  }

  /**
   * Leaves the cap to the other processes. Waits at most 10 s for a listener of the budget that has
   * not returned; this process then keeps its share until it ends. May be called more than once.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    thread.close();
    if (thread.thread().isAlive() && !thread.isCurrent()) {
      return;
    }
    try {
      file.close();
    } catch (IOException e) {
      thread.logOnce("a shared cap could not remove itself from " + file.path(), e);
    }
  }

  private void tick(long nowNanos) {
    try {
      look(nowNanos);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "this process keeps its share of the cap in " + file.path(), e);
    }
  }

  /** Returns whether it could look. */
  private boolean look(long nowNanos) throws IOException {
    long wanted = wantedBytesPerSecond(nowNanos);
    return file.update(others -> take(wanted, others));
  }

  /** Takes the share at once, because no other process can see it before it is written. */
  private ShareClaim take(long wanted, List<ShareClaim> others) {
    long capNow = cap.bytesPerSecond();
    long takenByOthers = 0;
    List<Demand> demands = new ArrayList<>();
    for (ShareClaim other : others) {
      capNow = Math.min(capNow, other.capBytesPerSecond());
      takenByOthers += other.takenBytesPerSecond();
      demands.add(new Demand(other.wantedBytesPerSecond(), other.weight()));
    }
    demands.add(new Demand(wanted, weight));
    long fair = FairShares.of(capNow, demands)[others.size()];
    long share = Math.max(Rate.MIN_BYTES_PER_SECOND, Math.min(fair, capNow - takenByOthers));
    Rate rate = Rate.perSecond(share);
    if (!rate.equals(budget.rate())) {
      budget.setRate(rate);
    }
    last = new SharedCapSnapshot(Rate.perSecond(capNow), rate, others.size() + 1);
    return new ShareClaim(
        ProcessHandle.current().pid(), cap.bytesPerSecond(), wanted, share, weight);
  }

  private long wantedBytesPerSecond(long nowNanos) {
    BudgetSnapshot before = seen;
    double seconds = Math.max(1, nowNanos - seenNanos) / NANOS_PER_SECOND;
    seen = budget.snapshot();
    seenNanos = nowNanos;
    double used = (seen.grantedBytes() - before.grantedBytes()) / seconds;
    peakBytesPerSecond = Math.max(used, peakBytesPerSecond * FORGETS);
    boolean held = seen.waiting() > 0 || seen.delayedRequests() > before.delayedRequests();
    boolean usesAll = used >= USES_ITS_SHARE * budget.rate().bytesPerSecond();
    if (held && (usesAll || seen.debtBytes() > 0)) {
      return Rate.MAX_BYTES_PER_SECOND;
    }
    long idle = Math.max(1, cap.bytesPerSecond() / IDLE_DIVISOR);
    return Math.clamp(Math.round(HEADROOM * peakBytesPerSecond), idle, Rate.MAX_BYTES_PER_SECOND);
  }

  private static void requireLimited(Rate cap) {
    if (!Objects.requireNonNull(cap, "cap").isLimited()) {
      throw new IllegalArgumentException(
          "a shared cap must be a number of bytes per second: " + cap);
    }
  }
}
