package io.weir.agent.process;

import java.util.List;

/** The JMX view of the agent, {@code io.weir:type=Agent}. The cap is set at its budget's bean. */
public interface AgentMXBean {

  /** The options that it was started with. */
  String getOptions();

  /** The address of {@code /metrics}; empty if there is none. */
  String getMetricsAddress();

  /** What it said on standard error. */
  List<String> getLines();

  /**
   * Lifts the cap, stops measuring, closes {@code /metrics} and restores Lucene's classes. Writers
   * that are open keep their merge scheduler and directory until they close.
   */
  void detach();
}
