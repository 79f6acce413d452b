/**
 * The agent's part that exists once for each loader of Lucene: {@link
 * io.weir.agent.lucene.BesideLucene} receives the calls of its methods, {@code WriterSetup} decides
 * what a writer gets, {@code MeasuredWriter} and {@code MeasuredReopens} show what it does.
 *
 * <p>Of the agent, only this package uses Lucene's types.
 */
package io.weir.agent.lucene;
