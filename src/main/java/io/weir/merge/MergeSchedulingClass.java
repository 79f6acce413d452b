package io.weir.merge;

import io.weir.procfs.ThreadTimes;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.LinuxCalls;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The scheduling class in which merges compute on Linux: threads of merges that allow it are in
 * {@code SCHED_IDLE} meanwhile, so they run on what searches, reopens and indexing leave of the
 * processors. {@link RateLimitedMergeScheduler#setIdleClass} and {@link MergeTracker#setIdleClass}
 * switch it on.
 *
 * <p>A thread enters the class when its merge begins to compute, and gets back exactly what it had
 * before the merge finishes: then it takes locks that readers and writers wait for. Threads on
 * which Lucene builds a part of a merge do the same for that part. Threads that such a thread
 * starts do not stay in the class. A thread of another policy than {@code SCHED_OTHER} or {@code
 * SCHED_BATCH} keeps it.
 *
 * <p>Such a thread may hold a lock, or keep the JVM from reaching a safepoint. So one thread
 * watches all of them. Within {@link #LOOK_NANOS} it gives back the class of a merge that is
 * aborted or must hurry. If one of them gets less than {@link #LEAST_SHARE} of the time in which it
 * wants to run, for {@link #STARVED_NANOS}, all get their class back, until merges wait for the
 * processors for less than {@link #MOST_WAIT_SHARE} of their time.
 *
 * <p><b>What it cannot do.</b> At a safepoint the watch stands as well. So if threads that do not
 * stop there want all processors, of other processes in the same control group or of a compiler,
 * the first safepoint can take as long as the kernel lets a thread of this class wait: up to some
 * seconds. Give the process a control group with a share of the processors of its own, as every
 * container has.
 *
 * <p><b>Threads:</b> any; those of merges say when they begin and end. No thread of this class
 * waits for a lock of this, or holds one. <b>Ownership:</b> one for a process; its thread ends a
 * while after the last merge. <b>Failure:</b> no method throws. Where a thread may not leave {@code
 * SCHED_IDLE} none enters it, and {@link #reason} says why: a thread that is made for it tries
 * first. If a call fails later, that is logged, and no thread enters it again.
 *
 * <p>Source: sched(7); Linux 6.18, {@code kernel/sched/syscalls.c} ({@code
 * user_check_sched_setscheduler}: a thread without CAP_SYS_NICE leaves {@code SCHED_IDLE} only if
 * RLIMIT_NICE allows its niceness, so at niceness 0 it must be 20 or more).
 */
public final class MergeSchedulingClass {

  static final long LOOK_NANOS = Duration.ofMillis(25).toNanos();
  static final long STARVED_NANOS = Duration.ofMillis(50).toNanos();
  static final double LEAST_SHARE = 0.05;
  static final double MOST_WAIT_SHARE = 0.4;

  static final MergeSchedulingClass OF_THIS_PROCESS =
      new MergeSchedulingClass(
          ThreadScheduler.OF_THIS_MACHINE,
          NanoClock.SYSTEM,
          task -> DaemonThreads.unstarted("weir-merge-class", task).start());

  private static final long LINGER_NANOS = Duration.ofSeconds(10).toNanos();
  private static final String UNTRIED = "no merge has asked for it yet";
  private static final String GIVEN = "threads may enter SCHED_IDLE and leave it";
  private static final String HIDDEN =
      "/proc/self/status, limits and stat do not say whether a thread may leave SCHED_IDLE here";
  private static final String NEEDED =
      "a thread may not leave SCHED_IDLE here; that takes CAP_SYS_NICE, or a nice limit of 20:"
          + " LimitNICE=+0 in a systemd unit, --ulimit nice=20 in Docker";

  /**
   * A thread has tried to enter the class and to leave it.
   *
   * @param failure null if it could
   */
  private record Trial(Throwable failure) {}

  /** Whether threads may enter the class and leave it. */
  private enum Permission {
    UNTRIED,
    TRYING,
    GIVEN,
    REFUSED
  }

  /** A thread that computes for a merge. */
  private static final class Computing {

    final int number;
    final int before;
    final BooleanSupplier allowed;
    final Runnable onStarved;
    boolean idle; // guarded by the lock of its owner, as the next two
    Optional<ThreadTimes> seen = Optional.empty();
    long seenAtNanos;

    /** Whether its class was ever changed. */
    volatile boolean touched;

    /** Set by the thread itself before it takes back its class, and never unset. */
    volatile boolean ending;

    Computing(int number, int before, BooleanSupplier allowed, Runnable onStarved) {
      this.number = number;
      this.before = before;
      this.allowed = allowed;
      this.onStarved = onStarved;
    }
  }

  private final ThreadScheduler kernel;
  private final NanoClock clock;
  private final Consumer<Runnable> threads;
  private final OnceLog log = new OnceLog(MergeSchedulingClass.class);
  private final Map<Thread, Computing> computing = new ConcurrentHashMap<>();
  private final Saturation saturation = new Saturation(); // guarded by this
  private boolean watched; // guarded by this, as the next two
  private final Set<Integer> known = new HashSet<>(); // all threads, at the last count
  private long started = -1;
  private volatile Trial trial; // null until it has ended
  private volatile Permission permission = Permission.UNTRIED;
  private volatile String reason = UNTRIED;

  /**
   * @param threads start a thread of their own for a task
   */
  MergeSchedulingClass(ThreadScheduler kernel, NanoClock clock, Consumer<Runnable> threads) {
    this.kernel = Objects.requireNonNull(kernel, "kernel");
    this.clock = clock;
    this.threads = threads;
  }

  /** That of this process. */
  public static MergeSchedulingClass ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** Whether merges that allow it compute in {@code SCHED_IDLE}. */
  public boolean isActive() {
    return permission == Permission.GIVEN;
  }

  /** Why it is active or not. */
  public String reason() {
    return reason;
  }

  /**
   * The calling thread computes for a merge, until {@link #ends}.
   *
   * @param allowed whether it may be in the class now; asked often, by any thread
   * @param onStarved called when it got its class back because it never ran
   * @return false if it will not be in the class, or computes already and will end later
   */
  boolean begins(BooleanSupplier allowed, Runnable onStarved) {
    if (permission == Permission.REFUSED) {
      return false;
    }
    try {
      int number = kernel.threadNumber();
      int before = kernel.policy(number);
      int policy = before & ~LinuxCalls.SCHED_RESET_ON_FORK;
      if (policy != LinuxCalls.SCHED_OTHER && policy != LinuxCalls.SCHED_BATCH) {
        return false;
      }
      Computing thread = new Computing(number, before, allowed, onStarved);
      synchronized (this) {
        if (computing.putIfAbsent(Thread.currentThread(), thread) != null) {
          return false;
        }
        if (!watched) {
          threads.accept(this::watch);
          watched = true;
        }
        return true;
      }
    } catch (IOException | RuntimeException | Error e) {
      computing.remove(Thread.currentThread());
      refuse(describe(e), e);
      return false;
    }
  }

  /** The calling thread has computed; it has the class that it had. */
  void ends() {
    Computing thread = computing.get(Thread.currentThread());
    if (thread == null) {
      return;
    }
    thread.ending = true;
    try {
      if (thread.touched) { // else it has what it had, or what the application has set since
        kernel.setPolicy(thread.number, thread.before); // before it waits for the lock
      }
    } catch (IOException | RuntimeException | Error e) {
      refuse(describe(e), e);
    }
    synchronized (this) {
      computing.remove(Thread.currentThread());
    }
  }

  /**
   * What one merge computes.
   *
   * @param allowed whether its threads may be in the class now, as for {@link #begins}
   */
  OfMerge ofMerge(BooleanSupplier allowed, Runnable onStarved) {
    return new OfMerge(allowed, onStarved);
  }

  /** <b>Threads:</b> those of the merge. */
  final class OfMerge {

    private final BooleanSupplier allowed;
    private final Runnable onStarved;
    private volatile boolean lasts;

    private OfMerge(BooleanSupplier allowed, Runnable onStarved) {
      this.allowed = allowed;
      this.onStarved = onStarved;
    }

    /** The merge computes, on the calling thread and on those of its parts. */
    void begins() {
      lasts = true;
      partBegins();
    }

    /** The merge has computed; the calling thread has the class that it had. */
    void ends() {
      lasts = false;
      partEnds();
    }

    /** As {@link MergeSchedulingClass#begins}, if the merge computes. */
    boolean partBegins() {
      return isAllowed() && MergeSchedulingClass.this.begins(this::isAllowed, onStarved);
    }

    void partEnds() {
      MergeSchedulingClass.this.ends();
    }

    /** Does something that may start a thread, which inherits the class of the calling one. */
    void starts(Runnable act) {
      partEnds();
      try {
        act.run();
      } finally {
        partBegins();
      }
    }

    private boolean isAllowed() {
      return lasts && allowed.getAsBoolean();
    }
  }

  /** Looks after the threads until none has computed for a while. */
  private void watch() {
    long lastNanos = clock.nanoTime();
    while (true) {
      clock.parkNanos(this, LOOK_NANOS);
      synchronized (this) {
        long nowNanos = clock.nanoTime();
        try {
          look(nowNanos);
        } catch (RuntimeException | Error e) {
          refuse(describe(e), e); // so that the next look gives all their class back
        }
        if (!computing.isEmpty()) {
          lastNanos = nowNanos;
        } else if (nowNanos - lastNanos >= LINGER_NANOS) {
          watched = false;
          started = -1; // what starts from now on has its class from elsewhere
          known.clear();
          return;
        }
      }
    }
  }

  /** Gives each thread the class that it should have now. */
  synchronized void look(long nowNanos) {
    seekPermission();
    freeHeirs();
    computing.keySet().removeIf(thread -> !thread.isAlive()); // its number may be another's by now
    computing.values().forEach(thread -> observe(thread, nowNanos));
    for (Computing thread : computing.values()) {
      boolean shall =
          permission == Permission.GIVEN
              && !saturation.lasts()
              && thread.seen.isPresent()
              && isAllowed(thread);
      if (shall != thread.idle && !thread.ending) {
        change(thread, shall);
      }
    }
  }

  /**
   * Gives the usual class to threads that a thread in the idle class has started: they inherit it,
   * and would keep it for ever. What was in that class before is the application's affair.
   */
  private void freeHeirs() {
    if (permission != Permission.GIVEN || kernel.started() == started) {
      return;
    }
    boolean isFirst = started < 0;
    started = kernel.started();
    Set<Integer> all = new HashSet<>(kernel.threads());
    known.retainAll(all);
    for (int number : all) {
      if (known.add(number) && !isFirst && !isComputing(number)) {
        try {
          int policy = kernel.policy(number);
          if ((policy & ~LinuxCalls.SCHED_RESET_ON_FORK) == LinuxCalls.SCHED_IDLE) {
            kernel.setPolicy(number, policy - LinuxCalls.SCHED_IDLE + LinuxCalls.SCHED_OTHER);
          }
        } catch (IOException | RuntimeException | Error e) {
          known.remove(number); // it may have ended; else the next look tries again
        }
      }
    }
  }

  private boolean isComputing(int number) {
    return computing.values().stream().anyMatch(thread -> thread.number == number);
  }

  /** Finds out what a thread got of the processors, once in {@link #STARVED_NANOS}. */
  private void observe(Computing thread, long nowNanos) {
    long nanos = nowNanos - thread.seenAtNanos;
    if (thread.seen.isPresent() && nanos < STARVED_NANOS) {
      return;
    }
    Optional<ThreadTimes> now = kernel.times(thread.number);
    if (now.isPresent() && thread.seen.isPresent()) {
      long ranNanos = now.get().ranNanos() - thread.seen.get().ranNanos();
      long waitedNanos = now.get().waitedNanos() - thread.seen.get().waitedNanos();
      if (!thread.idle) {
        saturation.saw(ranNanos, waitedNanos);
      } else if (isStarved(nanos, ranNanos, waitedNanos, now.get().isReady())) {
        saturation.begins();
        thread.onStarved.run();
      }
    }
    thread.seen = now;
    thread.seenAtNanos = nowNanos;
  }

  /** A wait that has not ended is not in its figure yet. */
  private static boolean isStarved(long nanos, long ranNanos, long waitedNanos, boolean isReady) {
    long wantedNanos = ranNanos == 0 && isReady ? nanos : ranNanos + waitedNanos;
    return wantedNanos >= nanos / 2 && ranNanos < LEAST_SHARE * wantedNanos;
  }

  private void change(Computing thread, boolean idle) {
    try {
      thread.touched = true;
      kernel.setPolicy(thread.number, idle ? idle(thread.before) : thread.before);
      thread.idle = idle;
      thread.seen = Optional.empty(); // what it gets counts anew
      if (idle && thread.ending) { // it took its class back in between
        kernel.setPolicy(thread.number, thread.before);
        thread.idle = false;
      }
    } catch (IOException | RuntimeException | Error e) {
      refuse(describe(e), e);
    }
  }

  private static boolean isAllowed(Computing thread) {
    try {
      return !thread.ending && thread.allowed.getAsBoolean();
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private static int idle(int before) {
    return LinuxCalls.SCHED_IDLE | before & LinuxCalls.SCHED_RESET_ON_FORK;
  }

  /** Starts the trial, or takes its result. */
  private void seekPermission() {
    Trial result = trial;
    if (permission == Permission.UNTRIED) {
      permission = Permission.TRYING;
      Optional<Boolean> mayReturn = kernel.mayReturn();
      if (mayReturn.orElse(false)) {
        threads.accept(this::tryOut);
      } else {
        refuse(mayReturn.isPresent() ? NEEDED : HIDDEN, null);
      }
    } else if (permission == Permission.TRYING && result != null) {
      if (result.failure == null) {
        reason = GIVEN;
        permission = Permission.GIVEN;
      } else {
        boolean isDenied =
            result.failure instanceof ErrnoException e && e.errno() == ErrnoException.EPERM;
        refuse(isDenied ? NEEDED : describe(result.failure), result.failure);
      }
    }
  }

  /**
   * On a thread of its own, which is lost if it may not return. So it only leaves its result: it
   * might keep others waiting for a lock, such as the log's.
   */
  private void tryOut() {
    try {
      int number = kernel.threadNumber();
      int before = kernel.policy(number);
      kernel.setPolicy(number, idle(before));
      kernel.setPolicy(number, before);
      trial = new Trial(null);
    } catch (IOException | RuntimeException | Error e) {
      trial = new Trial(e);
    }
  }

  private void refuse(String why, Throwable failure) {
    boolean worked = permission == Permission.GIVEN;
    reason = why;
    permission = Permission.REFUSED;
    if (worked) {
      log.warn("the scheduling class of a merge's thread cannot be set any more: " + why, failure);
    } else {
      log.log(Level.INFO, "merges compute in the scheduling class that they have: " + why);
    }
  }

  private static String describe(Throwable failure) {
    return failure instanceof IOException || failure instanceof UnsupportedOperationException
        ? failure.getMessage()
        : failure.toString();
  }

  /**
   * Whether merges must keep out of the class because it left them no processor: pure arithmetic.
   * That ends by what they wait for in their own class, and no sooner than they ran or waited for a
   * second in all: after a while without merges nothing is known.
   *
   * <p><b>Threads:</b> one at a time.
   */
  static final class Saturation {

    static final long ENOUGH_NANOS = Duration.ofSeconds(1).toNanos();

    private boolean lasts;
    private long ranNanos;
    private long waitedNanos;

    boolean lasts() {
      return lasts;
    }

    /** A thread in the class was ready and never ran. */
    void begins() {
      lasts = true;
      ranNanos = 0;
      waitedNanos = 0;
    }

    /** A thread in its own class ran and waited for so long. */
    void saw(long moreRanNanos, long moreWaitedNanos) {
      if (!lasts) {
        return;
      }
      ranNanos += moreRanNanos;
      waitedNanos += moreWaitedNanos;
      if (ranNanos + waitedNanos >= ENOUGH_NANOS) {
        lasts = waitedNanos >= MOST_WAIT_SHARE * (ranNanos + waitedNanos);
        ranNanos = 0;
        waitedNanos = 0;
      }
    }
  }
}
