package io.weir.time;

import java.util.Objects;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What somebody has to say in the log, once. Later messages are dropped, whatever they say: the
 * first fault names the cause, and one that returns with each merge or reopen would fill a disk.
 *
 * <p>The logger has the name of the class that speaks, and that class is the source of the message:
 * the JDK's logging takes no {@link System.Logger} for the source, so this is one. The logger is
 * looked for at each message, because that may fail as well.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a log that fails, as on a full disk, must not end a
 * grant, a merge, a reopen or a thread. So nothing that it throws gets out of here.
 */
public final class OnceLog implements System.Logger {

  private final Class<?> owner;
  private final AtomicBoolean logged = new AtomicBoolean();

  /** For messages of {@code owner}. */
  public OnceLog(Class<?> owner) {
    this.owner = Objects.requireNonNull(owner, "owner");
  }

  /** A message without a cause. */
  @Override
  public void log(Level level, String message) {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(message, "message");
    if (logged.compareAndSet(false, true)) {
      write(owner, level, message);
    }
  }

  /** A warning. */
  public void warn(String message, Throwable cause) {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(cause, "cause");
    if (logged.compareAndSet(false, true)) {
      write(owner, Level.WARNING, message, cause);
    }
  }

  /** Writes each message, at no more risk. */
  public static void write(Class<?> owner, Level level, String message) {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(message, "message");
    try {
      System.getLogger(name(owner)).log(level, message);
    } catch (Throwable unheard) {
      // There is nowhere left to report it.
    }
  }

  /** The same, with a cause. */
  public static void write(Class<?> owner, Level level, String message, Throwable cause) {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(cause, "cause");
    try {
      System.getLogger(name(owner)).log(level, message, cause);
    } catch (Throwable unheard) {
      // As above.
    }
  }

  /** The class in whose file {@code owner} is. */
  private static String name(Class<?> owner) {
    return owner.getNestHost().getName();
  }

  @Override
  public String getName() {
    return name(owner);
  }

  @Override
  public boolean isLoggable(Level level) {
    return !logged.get() && System.getLogger(name(owner)).isLoggable(level);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable cause) {
    if (logged.compareAndSet(false, true)) {
      try {
        System.getLogger(name(owner)).log(level, bundle, message, cause);
      } catch (Throwable unheard) {
        // As above.
      }
    }
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Object... parameters) {
    if (logged.compareAndSet(false, true)) {
      try {
        System.getLogger(name(owner)).log(level, bundle, message, parameters);
      } catch (Throwable unheard) {
        // As above.
      }
    }
  }
}
