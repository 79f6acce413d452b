package io.weir.procfs;

import java.util.Objects;

/**
 * A process, told apart from all that have had or will have its number. Two of them are comparable
 * only if they name the same boot and the same namespaces: a container numbers its processes anew.
 *
 * @param number of the process, in its namespace
 * @param startTicks when it began, in clock ticks since the boot (see proc_pid_stat(5))
 * @param boot the first digits of the random id of this boot of the kernel
 * @param namespaces the numbers of those of processes and of time
 */
public record ProcessIdentity(long number, long startTicks, String boot, String namespaces) {

  /** Refuses nulls. */
  public ProcessIdentity {
    Objects.requireNonNull(boot, "boot");
    Objects.requireNonNull(namespaces, "namespaces");
  }

  /** What the kernel says of a process. */
  public enum Life {
    /** It runs, waits or is stopped. */
    ALIVE,
    /** It has ended. */
    ENDED,
    /** The kernel has been booted since. */
    EARLIER_BOOT,
    /** It is in another namespace, or the kernel hides processes. */
    UNKNOWN
  }
}
