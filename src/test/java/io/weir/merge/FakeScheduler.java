package io.weir.merge;

import io.weir.procfs.ThreadTimes;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.LinuxCalls;
import io.weir.store.kernel.RecordingLinuxCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A scheduler of threads that keeps the policies that it is given, and says what it is told. */
final class FakeScheduler implements ThreadScheduler {

  static final ThreadTimes RUNS = new ThreadTimes(1, 0, true);

  final Map<Integer, ThreadTimes> times = new ConcurrentHashMap<>();
  final List<String> calls = new ArrayList<>(); // guarded by itself
  volatile Optional<String> missing = Optional.empty();
  volatile Optional<Boolean> mayReturn = Optional.of(true);
  volatile boolean returns = true;
  volatile boolean fails;
  volatile Runnable onSet = () -> {};
  private final Map<Integer, Integer> policies = new ConcurrentHashMap<>();
  private final AtomicInteger lastNumber = new AtomicInteger();
  private final Map<Thread, Integer> numbers = new ConcurrentHashMap<>();

  @Override
  public int threadNumber() {
    return numbers.computeIfAbsent(Thread.currentThread(), t -> lastNumber.incrementAndGet());
  }

  @Override
  public int policy(int thread) {
    missing.ifPresent(
        why -> {
          throw new UnsupportedOperationException(why);
        });
    return policies.getOrDefault(thread, LinuxCalls.SCHED_OTHER);
  }

  @Override
  public void setPolicy(int thread, int policy) throws IOException {
    synchronized (calls) {
      calls.add(thread + "=" + policy);
    }
    onSet.run();
    if (fails) {
      throw new IOException("the test denies it");
    }
    if (!returns && policy(thread) == LinuxCalls.SCHED_IDLE && policy != LinuxCalls.SCHED_IDLE) {
      throw RecordingLinuxCalls.failure("sched_setscheduler", ErrnoException.EPERM);
    }
    policies.put(thread, policy);
  }

  @Override
  public long started() {
    return lastNumber.get();
  }

  @Override
  public List<Integer> threads() {
    return IntStream.rangeClosed(1, lastNumber.get()).boxed().toList();
  }

  /** A thread starts, and inherits the policy of another. */
  int startedBy(int thread) {
    int number = lastNumber.incrementAndGet();
    policies.put(number, policy(thread));
    return number;
  }

  @Override
  public Optional<Boolean> mayReturn() {
    return mayReturn;
  }

  @Override
  public Optional<ThreadTimes> times(int thread) {
    return Optional.of(times.getOrDefault(thread, RUNS));
  }

  /** That of the calling thread. */
  int policy() {
    return policy(threadNumber());
  }

  /** What the calling thread had before. */
  void begin(int policy) {
    policies.put(threadNumber(), policy);
  }

  boolean isIdle() {
    return policy() == LinuxCalls.SCHED_IDLE;
  }

  /** None of the threads that it knows is idle. */
  boolean hasNoneIdle() {
    return policies.values().stream()
        .noneMatch(policy -> (policy & ~LinuxCalls.SCHED_RESET_ON_FORK) == LinuxCalls.SCHED_IDLE);
  }

  List<String> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }
}
