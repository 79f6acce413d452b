package io.weir.agent.process;

import io.weir.agent.Hooks;

/**
 * The part of the agent beside one loader of Lucene.
 *
 * <p><b>Ownership:</b> owns what it adds to the telemetry; {@link #close} removes that. Writers
 * that are open keep their setup, under a budget that the process then lifts.
 */
public interface LuceneSide extends Hooks.Target, AutoCloseable {

  @Override
  void close();
}
