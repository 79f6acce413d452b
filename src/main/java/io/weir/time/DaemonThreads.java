package io.weir.time;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The threads of Weir: daemons that inherit nothing from the thread that creates them.
 *
 * <p>Java gives a new thread the context class loader, the inheritable thread locals, the group,
 * the priority and, before Java 24, the access control context of its creator. The creator is often
 * a thread of an application: whichever came first. A thread that outlives the application would
 * then keep its class loader alive, and a test that looks for leaked threads in its own group would
 * find one that is not its own.
 *
 * <p>So these threads are in the root group, have the system class loader as their context class
 * loader, and normal priority.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> as {@link Thread}: errors of memory. If a security
 * manager denies the root group, the thread is in the highest group that it allows.
 */
public final class DaemonThreads {

  private DaemonThreads() {}

  /** A thread that has not been started. */
  public static Thread unstarted(String name, Runnable task) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(task, "task");
    return inheritingNoContext(
        () ->
            Thread.ofPlatform()
                .name(name)
                .group(rootGroup())
                .inheritInheritableThreadLocals(false)
                .priority(Thread.NORM_PRIORITY)
                .daemon()
                .unstarted(task));
  }

  /** A factory of such threads, which all have this name. */
  public static ThreadFactory named(String name) {
    Objects.requireNonNull(name, "name");
    return task -> unstarted(name, task);
  }

  /** A factory of virtual threads, which inherit nothing either. A number follows the name. */
  public static ThreadFactory virtual(String name) {
    Objects.requireNonNull(name, "name");
    return Thread.ofVirtual().name(name, 0).inheritInheritableThreadLocals(false).factory();
  }

  /** A privileged call ends the context that Java 21 to 23 store in a thread: at this class. */
  @SuppressWarnings("removal")
  private static Thread inheritingNoContext(PrivilegedAction<Thread> creation) {
    return AccessController.doPrivileged(creation);
  }

  private static ThreadGroup rootGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    try {
      while (group.getParent() != null) {
        group = group.getParent();
      }
    } catch (SecurityException e) {
      return group;
    }
    return group;
  }
}
