/**
 * The agent's part that exists once in a JVM: {@link io.weir.agent.process.AgentProcess} has the
 * options, the budget and the telemetry; {@code LuceneTransformer} changes Lucene's classes with
 * Byte Buddy; a {@link io.weir.agent.process.LuceneSide} serves each loader of Lucene.
 *
 * <p>Nothing here uses a type of Lucene.
 */
package io.weir.agent.process;
