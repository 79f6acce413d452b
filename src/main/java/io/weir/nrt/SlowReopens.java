package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says why reopens were slow, from stacks of the reopening thread that are taken while it reopens;
 * made by {@link ReopenMonitor#explainSlow}.
 *
 * <p>A daemon thread sleeps while no reopen goes on, and for the first {@link
 * SlowReopenOptions#sampleAfter} of each. It is woken by a reopen that finds it asleep, at most
 * once in that time, however often is reopened. Taking a stack asks one thread alone and stops no
 * other; one that is in a page fault answers when its read returns, and that time is counted for
 * the stack it answers with.
 *
 * <p><b>Threads:</b> any. A reopen takes no lock of this, and allocates only if it was slow.
 * <b>Ownership:</b> the monitor closes it when it is closed; closed alone, it leaves the monitor as
 * if it had never been. <b>Failure:</b> a fault of the sampler or of a listener is logged once; no
 * reopen is affected.
 */
public final class SlowReopens implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(SlowReopens.class.getName());

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** Slow reopens that ended and are not yet told; more are only counted. */
  private static final int MAX_WAITING = 16;

  /** Not the number of any reopen, and not that of none. */
  private static final long ALWAYS_NEW = -1;

  private final SlowReopenOptions options;
  private final NanoClock clock;
  private final RunningReopen watch;
  private final long thresholdNanos;
  private final Duration closeTimeout;
  private final Thread thread;
  private final List<SlowReopenListener> listeners = new CopyOnWriteArrayList<>();
  private final Queue<StackSamples.Ended> ended = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger(); // in ended
  private final AtomicLong untold = new AtomicLong();
  private final Deque<SlowReopen> recent = new ArrayDeque<>(); // guarded by itself
  private volatile boolean asleep;
  private volatile boolean closed;
  private volatile boolean failureTold;

  // Of the sampler's thread.
  private StackSamples samples; // of the reopen going on, null before its first stack is due
  private long passedOver = RunningReopen.NONE; // a reopen of which no more stacks are wanted
  private long lastRunning = RunningReopen.NONE;
  private long freeNanos;

  SlowReopens(SlowReopenOptions options, RunningReopen watch, NanoClock clock) {
    this(options, watch, clock, CLOSE_TIMEOUT);
  }

  SlowReopens(
      SlowReopenOptions options, RunningReopen watch, NanoClock clock, Duration closeTimeout) {
    this.options = Objects.requireNonNull(options, "options");
    this.watch = watch;
    this.clock = clock;
    this.closeTimeout = closeTimeout;
    this.thresholdNanos = options.threshold().toNanos();
    this.thread = new Thread(this::run, "weir-slow-reopens");
    thread.setDaemon(true);
  }

  void start() {
    freeNanos = clock.nanoTime();
    thread.start();
  }

  /** With these it was made. */
  public SlowReopenOptions options() {
    return options;
  }

  /** The last slow reopens, the oldest first. */
  public List<SlowReopen> recent() {
    synchronized (recent) {
      return List.copyOf(recent);
    }
  }

  /** Slow reopens that were not told, because too many ended while a listener was being told. */
  public long untold() {
    return untold.get();
  }

  /** Tells {@code listener} of slow reopens from now on. */
  public void addListener(SlowReopenListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /** Tells it no more. */
  public void removeListener(SlowReopenListener listener) {
    listeners.remove(listener);
  }

  /**
   * Tells what has ended until now, and leaves no thread. Waits for a listener that is being told
   * for at most 10 s; its thread then ends by itself, which is logged. An interrupt ends the wait
   * and stays set. May be called more than once.
   */
  @Override
  public void close() {
    closed = true;
    if (watch.sampler() == this) {
      watch.setSampler(null);
    }
    clock.unpark(thread);
    if (Thread.currentThread() != thread) {
      try {
        if (!thread.join(closeTimeout)) {
          logOnce("a listener of slow reopens has not returned; closing goes on without it", null);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Called by the reopening thread.

  boolean isSlow(long totalNanos) {
    return totalNanos >= thresholdNanos;
  }

  void wakeIfIdle() {
    if (asleep) {
      clock.unpark(thread);
    }
  }

  void ended(long serial, long begunNanos, Reopen reopen) {
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      untold.incrementAndGet();
    } else {
      ended.add(new StackSamples.Ended(serial, begunNanos, reopen));
      clock.unpark(thread);
    }
  }

  /** For tests. */
  Thread thread() {
    return thread;
  }

  private void run() {
    while (!closed) {
      try {
        step();
      } catch (Throwable failure) {
        samples = null;
        passedOver = watch.running();
        logOnce("sampling of slow reopens failed; reopens go on", failure);
      }
    }
    tellEnded();
  }

  /** Does what there is to do now, and waits until there may be more. */
  private void step() {
    long running = watch.running(); // before the queue: one that has ended is in it
    tellEnded();
    if (running == RunningReopen.NONE || running == passedOver) {
      samples = null;
      rest(running);
      return;
    }
    Thread reopening = watch.thread();
    long begunNanos = watch.begunNanos();
    if (watch.running() != running) {
      return;
    }
    lastRunning = running;
    if (samples == null || samples.serial() != running) {
      samples = new StackSamples(running, begunNanos, options, freeNanos);
    }
    long now = clock.nanoTime();
    if (now < samples.nextDueNanos()) {
      clock.parkNanos(this, samples.nextDueNanos() - now);
    } else {
      look(reopening, now);
    }
  }

  /**
   * Sleeps until woken if nothing has begun for a while. Until then it only naps, so that a reopen
   * after the other need not wake it each time.
   */
  private void rest(long running) {
    if (!ended.isEmpty() || closed) {
      return;
    }
    if (running != lastRunning) {
      lastRunning = running;
      clock.parkNanos(this, options.sampleAfter().toNanos());
      return;
    }
    asleep = true;
    try {
      if (watch.running() == running && ended.isEmpty() && !closed) {
        clock.park(this);
      }
    } finally {
      asleep = false;
    }
    lastRunning = ALWAYS_NEW; // whatever goes on now, nap before the next sleep
  }

  private void look(Thread reopening, long now) {
    boolean blocked = reopening != null && reopening.getState() == Thread.State.BLOCKED;
    StackTraceElement[] stack =
        reopening == null ? new StackTraceElement[0] : reopening.getStackTrace();
    int depth = CauseRules.depthOfRefresh(stack);
    if (watch.running() != samples.serial()) {
      return; // the stack may be of what came after
    }
    if (depth == 0) {
      // The thread, or the refresh, has ended and nobody was told: another listener had thrown.
      passedOver = samples.serial();
      return;
    }
    samples.add(now, clock.nanoTime(), stack, depth, blocked);
    if (samples.taken() == 1) {
      askForMerges(samples);
      for (SlowReopenListener listener : listeners) {
        guarded(listener::samplingBegan);
      }
      samples.busyUntil(clock.nanoTime());
    }
  }

  private void tellEnded() {
    for (StackSamples.Ended one = ended.poll(); one != null; one = ended.poll()) {
      waiting.decrementAndGet();
      StackSamples seen = samples;
      if (seen == null || seen.serial() != one.serial()) {
        seen = new StackSamples(one.serial(), one.begunNanos(), options, freeNanos);
      } else {
        samples = null;
      }
      passedOver = one.serial();
      askForMerges(seen);
      tell(seen.explain(one));
      freeNanos = clock.nanoTime();
    }
  }

  private void tell(SlowReopen slow) {
    synchronized (recent) {
      recent.addLast(slow);
      if (recent.size() > options.recent()) {
        recent.removeFirst();
      }
    }
    for (SlowReopenListener listener : listeners) {
      guarded(() -> listener.slowReopen(slow));
    }
  }

  private void askForMerges(StackSamples of) {
    guarded(() -> of.addMerges(options.merges().get()));
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) {
      logOnce("a listener of slow reopens, or what names the merges, failed", failure);
    }
  }

  private void logOnce(String what, Throwable failure) {
    if (!failureTold) {
      failureTold = true;
      try {
        LOGGER.log(Level.WARNING, what, failure);
      } catch (Throwable unheard) {
        // The log may fail as well, and the sampler goes on.
      }
    }
  }
}
