package io.weir.nrt;

import io.weir.time.DaemonThreads;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Explains why reopens were slow, from stacks of the reopening thread taken while it reopens.
 * Created by {@link ReopenMonitor#explainSlow}.
 *
 * <p>A daemon thread sleeps while no reopen runs, and for the first {@link
 * SlowReopenOptions#sampleAfter} of each. A reopen that finds it asleep wakes it, at most once in
 * that time. Taking a stack needs an answer from the sampled thread only and stops no other. A
 * thread in a page fault answers after its read; that time counts for the stack.
 *
 * <p><b>Threads:</b> any. A reopen takes no lock of this class, and allocates only if it was slow.
 * <b>Ownership:</b> closing the monitor closes it. It can also be closed alone; the monitor then
 * works as before. <b>Failure:</b> a fault of the sampler or of a listener is logged once; no
 * reopen is affected.
 */
public final class SlowReopens implements Closeable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final String FAILURE =
      "a listener of slow reopens, or the supplier of merge names, failed";

  /** Slow reopens that ended but are not yet reported; more are only counted. */
  private static final int MAX_WAITING = 16;

  /** Neither the number of a reopen nor {@link Measurement#NO_SERIAL}. */
  private static final long ALWAYS_NEW = -1;

  private final SlowReopenOptions options;
  private final NanoClock clock;
  private final RunningReopen current;
  private final long thresholdNanos;
  private final Duration closeTimeout;
  private final Thread thread;
  private final RunningReopen.Sampler sampler = new ReopenSampler();
  private final OnceLog log = new OnceLog(SlowReopens.class);
  private final Listeners<SlowReopenListener> listeners = new Listeners<>(log, FAILURE);
  private final Queue<StackSamples.Ended> ended = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger(); // in ended
  private final AtomicLong unreported = new AtomicLong();
  private final Deque<SlowReopen> recent = new ArrayDeque<>(); // guarded by itself
  private volatile boolean asleep;
  private volatile boolean closed;

  // Of the sampler's thread.
  private StackSamples samples; // of the running reopen; null before its first stack is due
  private long passedOver = Measurement.NO_SERIAL; // the reopen that needs no more stacks
  private long lastRunning = Measurement.NO_SERIAL;
  private long freeNanos;

  SlowReopens(SlowReopenOptions options, RunningReopen current, NanoClock clock) {
    this(options, current, clock, CLOSE_TIMEOUT);
  }

  SlowReopens(
      SlowReopenOptions options, RunningReopen current, NanoClock clock, Duration closeTimeout) {
    this.options = Objects.requireNonNull(options, "options");
    this.current = current;
    this.clock = clock;
    this.closeTimeout = closeTimeout;
    this.thresholdNanos = options.threshold().toNanos();
    this.thread = DaemonThreads.unstarted("weir-slow-reopens", this::run);
  }

  /** Starts the thread and has it sample the reopens from now on. */
  void start() {
    // The first look would load classes meanwhile, and take that for a standstill of the JVM.
    CauseRules.depthOfRefresh(Thread.currentThread().getStackTrace());
    freeNanos = clock.nanoTime();
    thread.start();
    current.attach(sampler);
  }

  /** The options that it was created with. */
  public SlowReopenOptions options() {
    return options;
  }

  /** The last slow reopens, oldest first. */
  public List<SlowReopen> recent() {
    synchronized (recent) {
      return List.copyOf(recent);
    }
  }

  /** Slow reopens that were not reported, because too many ended during a listener call. */
  public long unreported() {
    return unreported.get();
  }

  /** Adds a listener. */
  public void addListener(SlowReopenListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.add(listener);
  }

  /** Removes a listener. */
  public void removeListener(SlowReopenListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.remove(listener);
  }

  /**
   * Reports the slow reopens that have ended, and ends the thread. Waits at most 10 s for a
   * listener call; after that a message is logged, and the thread ends when the call returns. An
   * interrupt ends the wait and stays set. May be called more than once.
   */
  @Override
  public void close() {
    closed = true;
    current.detach(sampler);
    clock.unpark(thread);
    if (Thread.currentThread() != thread) {
      try {
        if (!thread.join(closeTimeout)) {
          log.log(
              Level.WARNING,
              "a listener of slow reopens has not returned; closing goes on without it");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
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
        passedOver = current.serial();
        log.warn("sampling of slow reopens failed; reopens go on", failure);
      }
    }
    tellEnded();
  }

  /** Does the work that is due, and waits until there may be more. */
  private void step() {
    long running = current.serial(); // before the queue: a reopen that has ended is in it
    tellEnded();
    if (running == Measurement.NO_SERIAL || running == passedOver) {
      samples = null;
      rest(running);
      return;
    }
    Thread reopening = current.thread();
    long begunNanos = current.begunNanos();
    if (current.serial() != running) {
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
   * Sleeps until woken if no reopen has begun for a while. Until then it only naps, so that
   * frequent reopens need not wake it each time.
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
      if (current.serial() == running && ended.isEmpty() && !closed) {
        clock.park(this);
      }
    } finally {
      asleep = false;
    }
    lastRunning = ALWAYS_NEW; // nap before the next sleep in any case
  }

  private void look(Thread reopening, long now) {
    boolean blocked = reopening != null && reopening.getState() == Thread.State.BLOCKED;
    StackTraceElement[] stack =
        reopening == null ? new StackTraceElement[0] : reopening.getStackTrace();
    int depth = CauseRules.depthOfRefresh(stack);
    if (current.serial() != samples.serial()) {
      samples.asked(now, clock.nanoTime());
      return; // the stack may belong to what came afterwards
    }
    if (depth == 0) {
      // The thread or the refresh has ended without a call here: another listener threw.
      passedOver = samples.serial();
      return;
    }
    samples.add(now, clock.nanoTime(), stack, depth, blocked);
    if (samples.taken() == 1) {
      askForMerges(samples);
      listeners.tell(SlowReopenListener::samplingBegan);
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
    listeners.tell(listener -> listener.slowReopen(slow));
  }

  private void askForMerges(StackSamples of) {
    try {
      of.addMerges(options.merges().get());
    } catch (Throwable failure) {
      log.warn(FAILURE, failure);
    }
  }

  /** What the reopening thread calls. */
  private final class ReopenSampler implements RunningReopen.Sampler {

    @Override
    public void begun() {
      if (asleep) {
        clock.unpark(thread);
      }
    }

    @Override
    public boolean isSlow(long totalNanos) {
      return totalNanos >= thresholdNanos;
    }

    @Override
    public void ended(long serial, long begunNanos, Reopen reopen) {
      if (waiting.incrementAndGet() > MAX_WAITING) {
        waiting.decrementAndGet();
        unreported.incrementAndGet();
      } else {
        ended.add(new StackSamples.Ended(serial, begunNanos, reopen));
        clock.unpark(thread);
      }
    }
  }
}
