package io.weir.control;

import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One cap for all processes of a machine that name the same file: two nodes of a search engine on
 * one disk do not each take it all.
 *
 * <pre>{@code
 * try (SharedCap disk = SharedCap.join(Path.of("/var/lib/search/weir-cap"), Rate.perSecond(100_000_000))) {
 *   ByteBudget products = disk.budget().child(BudgetOptions.named("products"));
 *   Weir weir = Weir.builder().budget(products).open(path);
 *   ...
 * }
 * }</pre>
 *
 * <p>Each process has a budget of its own, whose rate is its share; the shares never add up to more
 * than the cap. Ten times a second each process writes to the file what it could use, and takes its
 * share. If they want more than the cap, shares are by weight: no process gets less than its part
 * while it wants it. What some do not use, the others share. A process that begins to merge has its
 * share after at most three tenths of a second.
 *
 * <p>One that ends or is killed leaves its share to the others as fast, where {@code /proc} shows
 * that it has ended. Elsewhere, as between containers, it takes three and a half seconds: its line
 * in the file no longer changes. So does a process that is stopped (by a debugger, {@code SIGSTOP},
 * a frozen container or a long collection of garbage). When it goes on, it looks before anything
 * else, and takes only what the others leave until they have made room. Until its thread has
 * looked, which is at once, its writers may use up what they had waited for: at most the burst of
 * its former share.
 *
 * <p>If processes name different caps, the lowest one holds. The file must be on a file system of
 * this machine. Containers can share it through a volume. It has no locks, so it may be read,
 * copied and closed by anybody; if it is deleted, replaced or emptied, the processes meet again in
 * the new one.
 *
 * <p><b>Threads:</b> any may call every method; a daemon thread looks at the file. Listeners of the
 * budget's rate are called on another one. <b>Ownership:</b> close it after the writers; the budget
 * keeps its last rate, which no longer counts for the others. A class loader joins a file once,
 * under whatever name; two copies of this library in a JVM are two processes. <b>Failure:</b> if
 * the file cannot be used later on, that is logged once, and the process keeps at most its part by
 * weight. A share that changes because a process has vanished, or the file was changed, is logged
 * once for each reason.
 */
public final class SharedCap implements AutoCloseable {

  private static final NanoClock CLOCK = NanoClock.SYSTEM;
  private static final double NANOS_PER_SECOND = 1e9;

  /** How long {@link #join} waits for the others to make room, and for a line. */
  private static final long JOIN_NANOS = 5 * ShareSeat.TICK_NANOS;

  private static final long LINE_NANOS = ShareSeat.LEASE_NANOS + JOIN_NANOS;

  /** News that wait while a listener or the log hangs; older ones are dropped. */
  private static final int NEWS = 16;

  /** What an idle process keeps of the cap, so that its first bytes need not wait. */
  private static final int IDLE_DIVISOR = 100;

  /** One that uses that much of its share, and waits, wants all that there is. */
  private static final double USES_ITS_SHARE = 0.8;

  private static final double HEADROOM = 2;
  private static final double FORGETS = 0.9;

  private final ShareFile file;
  private final ShareSeat seat;
  private final ByteBudget budget;
  private final TickThread thread;
  private final Duration closeTimeout;
  private final ThreadPoolExecutor news = // no foreign code may hold up the thread that looks
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(NEWS),
          DaemonThreads.named("weir-shared-cap-news"),
          new ThreadPoolExecutor.DiscardOldestPolicy());
  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch joined = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);
  private volatile boolean closed;
  private volatile Rate cap;
  private volatile int weight = 1;
  private volatile Snapshot last;
  private volatile Exception refusal; // written before joined
  private final long beganNanos = CLOCK.nanoTime();
  private BudgetSnapshot seen; // of the thread that looks, as all below
  private long seenNanos = beganNanos;
  private double peakBytesPerSecond;

  /**
   * Joins the processes that share {@code file}, with weight 1. Takes two tenths of a second, in
   * which the others make room. If one of them does not, this process begins with a {@linkplain
   * Rate#PAUSED paused} budget, for at most three seconds more. An interrupt stays set.
   *
   * @param file created if it is missing; its directory must exist
   * @param cap for all of them together
   * @throws IllegalArgumentException if the cap is not a number of bytes per second
   * @throws IllegalStateException if this class loader has joined it already
   * @throws IOException if it is something else, cannot be written, or is shared by 32 processes
   */
  public static SharedCap join(Path file, Rate cap) throws IOException {
    Objects.requireNonNull(file, "file");
    return join(file, cap, TickThread.CLOSE_TIMEOUT, Procfs.SYSTEM);
  }

  static SharedCap join(Path file, Rate cap, Duration closeTimeout, Procfs procfs)
      throws IOException {
    requireLimited(cap);
    SharedCap shared = new SharedCap(ShareFile.open(file), cap, closeTimeout, procfs);
    shared.begin();
    return shared;
  }

  private SharedCap(ShareFile file, Rate cap, Duration closeTimeout, Procfs procfs) {
    this.file = file;
    this.cap = cap;
    this.closeTimeout = closeTimeout;
    this.budget = new ByteBudget(BudgetOptions.named("shared cap").withRate(Rate.PAUSED));
    this.seen = budget.snapshot();
    this.last = new Snapshot(cap, Rate.PAUSED, 1);
    this.seat = new ShareSeat(file, CLOCK, procfs, this::setRate, this::report);
    this.thread =
        new TickThread(
            "weir-shared-cap", ShareSeat.TICK_NANOS, CLOCK, (now, lateNanos) -> tick(now));
    news.allowCoreThreadTimeOut(true);
  }

  private void begin() throws IOException {
    thread.start();
    await(joined, Duration.ofNanos(2 * LINE_NANOS));
    Exception failure = refusal;
    if (failure != null) {
      close();
      throw new IOException(failure.getMessage(), failure);
    }
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
  public Snapshot snapshot() {
    return last;
  }

  /** The file that the processes share. */
  public Path file() {
    return file.path();
  }

  /**
   * Leaves the cap to the other processes. The thread that looks at the file does so as its last
   * act. Waits for that for at most 10 s, if the file system hangs. An interrupt stays set. May be
   * called more than once.
   */
  @Override
  public void close() {
    closed = true;
    thread.tickNow();
    if (!await(left, closeTimeout)) {
      log("a shared cap has not left its file yet, which hangs; closing goes on: " + file());
    }
  }

  /** Waits also on a thread that is interrupted, because the wait is short. */
  private static boolean await(CountDownLatch latch, Duration timeout) {
    long endNanos = CLOCK.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return latch.await(endNanos - CLOCK.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void tick(long nowNanos) {
    Thread.interrupted(); // it would close the file; nothing here waits for one
    if (!closed) {
      try {
        look(nowNanos);
      } catch (IOException | RuntimeException e) {
        lookFailed(e, nowNanos);
      }
    }
    if (closed && left.getCount() > 0) {
      leave();
    }
  }

  private void look(long nowNanos) throws IOException {
    ShareSeat.View view =
        seat.look(
            new ShareSeat.Terms(cap.bytesPerSecond(), wantedBytesPerSecond(nowNanos), weight));
    last =
        new Snapshot(
            Rate.perSecond(view.capBytesPerSecond()),
            rate(view.takenBytesPerSecond()),
            view.processes());
    if (view.takenBytesPerSecond() > 0 || nowNanos - beganNanos >= JOIN_NANOS) {
      joined.countDown();
    }
    if (view.takenBytesPerSecond() == 0 && nowNanos - beganNanos >= LINE_NANOS) {
      log("the other processes leave nothing of the cap in " + file() + ": it is paused");
    }
  }

  private void lookFailed(Exception failure, long nowNanos) {
    if (joined.getCount() == 0) {
      seat.lookFailed();
      log("this process keeps at most its part by weight of the cap in " + file(), failure);
    } else if (!(failure instanceof ShareSeat.NoLineException)
        || nowNanos - beganNanos >= LINE_NANOS) {
      refusal = failure;
      joined.countDown();
    }
  }

  private void leave() {
    try (file) {
      seat.leave();
    } catch (IOException | RuntimeException e) {
      log("a shared cap could not remove itself from " + file(), e);
    } finally {
      news.shutdown(); // what waits there is still done
      thread.close(); // ends this thread
      left.countDown();
    }
  }

  private void setRate(long bytesPerSecond) {
    budget.setRate(rate(bytesPerSecond), news);
  }

  private static Rate rate(long bytesPerSecond) {
    return bytesPerSecond == 0 ? Rate.PAUSED : Rate.perSecond(bytesPerSecond);
  }

  private void report(ShareSeat.Oddity oddity) {
    log("the shares of the cap in " + file() + " change: " + oddity.text);
  }

  private void log(String message) {
    once(message, () -> OnceLog.write(SharedCap.class, Level.WARNING, message));
  }

  private void log(String message, Exception failure) {
    once(message, () -> OnceLog.write(SharedCap.class, Level.WARNING, message, failure));
  }

  /** Logs each message once. */
  private void once(String message, Runnable writing) {
    if (logged.add(message)) {
      news.execute(writing);
    }
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

  /**
   * What a {@link SharedCap} gives this process now.
   *
   * @param cap for all processes together: the lowest that one of them was given
   * @param share the rate of this process
   * @param processes how many share, this one included
   */
  public record Snapshot(Rate cap, Rate share, int processes) {}
}
