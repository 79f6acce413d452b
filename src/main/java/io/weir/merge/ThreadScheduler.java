package io.weir.merge;

import io.weir.procfs.Procfs;
import io.weir.procfs.ThreadTimes;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What {@link MergeSchedulingClass} asks the kernel about threads of this process.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> that of {@link LinuxCalls}; an {@link
 * UnsupportedOperationException} with the reason where there are none.
 */
interface ThreadScheduler {

  ThreadScheduler OF_THIS_MACHINE = new ThisMachine();

  /** The kernel's number of the calling thread. */
  int threadNumber() throws IOException;

  /** The policy of a thread, with its flag. */
  int policy(int thread) throws IOException;

  void setPolicy(int thread, int policy) throws IOException;

  /**
   * Whether a thread that has entered {@code SCHED_IDLE} may leave it; empty if that is unknown.
   */
  Optional<Boolean> mayReturn();

  /** How many threads have been started so far. */
  long started();

  /** All threads. */
  List<Integer> threads();

  /** Empty if the thread has ended, or the kernel does not say. */
  Optional<ThreadTimes> times(int thread);

  /** By the calls and the files of the kernel that runs this. */
  record ThisMachine() implements ThreadScheduler {

    /** By a call, because threads of merges may read no files where an engine denies it to them. */
    @Override
    public int threadNumber() throws IOException {
      OptionalInt number = ForeignLinuxCalls.get().threadNumber();
      return number.isPresent()
          ? number.getAsInt()
          : Math.toIntExact(
              Procfs.SYSTEM
                  .threadNumber()
                  .orElseThrow(() -> new IOException("/proc/thread-self/stat cannot be read")));
    }

    @Override
    public int policy(int thread) throws IOException {
      return ForeignLinuxCalls.get().schedulingPolicy(thread);
    }

    @Override
    public void setPolicy(int thread, int policy) throws IOException {
      ForeignLinuxCalls.get().setSchedulingPolicy(thread, policy);
    }

    @Override
    public Optional<Boolean> mayReturn() {
      return Procfs.SYSTEM.mayLeaveIdleClass();
    }

    @Override
    public long started() {
      return ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
    }

    @Override
    public List<Integer> threads() {
      return Procfs.SYSTEM.threadNumbers().stream().map(Math::toIntExact).toList();
    }

    @Override
    public Optional<ThreadTimes> times(int thread) {
      return Procfs.SYSTEM.threadTimes(thread);
    }
  }
}
