package io.weir.agent;

import java.lang.instrument.Instrumentation;

/**
 * The entry point of {@code -javaagent:weir-agent.jar=OPTIONS}, and of an attach to a running JVM.
 *
 * <p>This class and {@link AgentLog} are compiled for Java 11, the oldest Java that a supported
 * Lucene runs on. Otherwise an older JVM would end here, and the application with it.
 *
 * <p><b>Failure:</b> nothing is thrown: the JVM would end. One line says what is wrong, and the
 * application runs without the agent.
 */
public final class WeirAgent {

  private static final int FIRST_JAVA_VERSION = 21;

  private WeirAgent() {}

  /** Called by the JVM before the application's {@code main}. */
  public static void premain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  /** Called by the JVM when the agent is loaded later; writers that are open stay as they are. */
  public static void agentmain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  private static void start(String options, Instrumentation instrumentation) {
    try {
      int version = Runtime.version().feature();
      if (version < FIRST_JAVA_VERSION) {
        AgentLog.without("the agent needs Java 21 or newer, and this is Java " + version);
        return;
      }
      Class.forName("io.weir.agent.NestedLoader") // of newer bytecode, so it is not named here
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, options == null ? "" : options, instrumentation);
    } catch (Throwable failure) {
      AgentLog.without("the agent could not start: " + AgentLog.rootOf(failure));
    }
  }
}
