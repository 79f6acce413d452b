package io.weir.agent;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The agent's lines on standard error. A logger is no alternative: its first use would configure
 * the logging of the JVM before the application does.
 *
 * <p>Each line is printed once, and at most {@value #MAX_LINES} of them, because an application may
 * open any number of writers.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> no method throws.
 */
public final class AgentLog {

  private static final int MAX_LINES = 64;
  private static final String PREFIX = "weir-agent: ";

  private static final Set<String> LINES = new LinkedHashSet<>(); // guarded by itself

  private AgentLog() {}

  /** Prints one line. */
  public static void say(String line) {
    synchronized (LINES) {
      if (LINES.size() == MAX_LINES || !LINES.add(line)) {
        return;
      }
    }
    System.err.println(PREFIX + line);
  }

  /** Prints why the application runs without the agent. */
  public static void without(String reason) {
    say(reason + "; the application runs without the agent");
  }

  /** The lines so far. */
  public static List<String> lines() {
    synchronized (LINES) {
      return new ArrayList<>(LINES);
    }
  }

  /** The innermost cause, which names what is missing. */
  public static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
