package io.weir.agent;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the instrumented methods of Lucene call, by reflection through the system class loader: so
 * Lucene's loader need not see the agent, and Lucene's module need not read it.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> no method that Lucene calls throws; the first failure of
 * each kind is one line.
 */
public final class Hooks {

  /** Receives the calls. The first argument is the class of Lucene that was instrumented. */
  public interface Target {

    /** A writer is being constructed; returns the directory that it shall use. */
    Object writerOpening(Class<?> lucene, Object directory, Object config);

    /** A writer was constructed. */
    void writerOpened(Class<?> lucene, Object writer);

    /** A call of {@code close} or {@code rollback} has ended. */
    void writerClosed(Class<?> lucene, Object writer);

    /** A reference manager is being constructed; only its listeners exist. */
    void managerOpened(Class<?> lucene, Object manager);

    /** A reference manager was closed. */
    void managerClosed(Class<?> lucene, Object manager);

    /**
     * {@code DirectoryReader.openIfChanged} begins.
     *
     * @return passed to {@link #reopenEnded}; null if that must not be called
     */
    Object reopenBegun(Class<?> lucene, Object reader);

    /** {@code DirectoryReader.openIfChanged} has returned {@code result} or thrown. */
    void reopenEnded(Class<?> lucene, Object begun, Object result, Throwable failure);
  }

  private static final AtomicReference<Target> TARGET = new AtomicReference<>();

  private Hooks() {}

  /**
   * Has {@code target} receive the calls from now on.
   *
   * @return false if another one receives them
   */
  public static boolean install(Target target) {
    return TARGET.compareAndSet(null, Objects.requireNonNull(target, "target"));
  }

  /** Ends the calls of {@code target}. */
  public static void remove(Target target) {
    TARGET.compareAndSet(target, null);
  }

  /** See {@link Target}. */
  public static Object writerOpening(Class<?> lucene, Object directory, Object config) {
    Target target = TARGET.get();
    try {
      return target == null ? directory : target.writerOpening(lucene, directory, config);
    } catch (Throwable failure) {
      failed("a writer stays as it is", failure);
      return directory;
    }
  }

  /** See {@link Target}. */
  public static void writerOpened(Class<?> lucene, Object writer) {
    call(target -> target.writerOpened(lucene, writer), "a writer is not measured");
  }

  /** See {@link Target}. */
  public static void writerClosed(Class<?> lucene, Object writer) {
    call(target -> target.writerClosed(lucene, writer), "a closed writer keeps its figures");
  }

  /** See {@link Target}. */
  public static void managerOpened(Class<?> lucene, Object manager) {
    call(target -> target.managerOpened(lucene, manager), "a reference manager is not measured");
  }

  /** See {@link Target}. */
  public static void managerClosed(Class<?> lucene, Object manager) {
    call(
        target -> target.managerClosed(lucene, manager),
        "a closed reference manager keeps its figures");
  }

  /** See {@link Target}. */
  public static Object reopenBegun(Class<?> lucene, Object reader) {
    Target target = TARGET.get();
    try {
      return target == null ? null : target.reopenBegun(lucene, reader);
    } catch (Throwable failure) {
      failed("a reopen is not measured", failure);
      return null;
    }
  }

  /** See {@link Target}. */
  public static void reopenEnded(
      Class<?> lucene, Object begun, Object result, Throwable thrownByReopen) {
    if (begun != null) {
      call(
          target -> target.reopenEnded(lucene, begun, result, thrownByReopen),
          "a reopen is not measured");
    }
  }

  private interface Call {
    void on(Target target);
  }

  private static void call(Call call, String consequence) {
    Target target = TARGET.get();
    if (target != null) {
      try {
        call.on(target);
      } catch (Throwable failure) {
        failed(consequence, failure);
      }
    }
  }

  private static void failed(String consequence, Throwable failure) {
    try {
      AgentLog.say(consequence + ": " + AgentLog.rootOf(failure));
    } catch (Throwable unheard) {
      // Not even a line; the application must go on.
    }
  }
}
