/**
 * How fast Lucene indexes at steady state: ring 5, behind {@code weir index}. It uses settings,
 * documents, the write path and the worker JVMs of {@code stress}, and never prints.
 *
 * <p>A run measures cells. A cell is an arm with a number of indexing threads and a RAM buffer; it
 * has a JVM and an empty index of its own. Read it in this order: {@code indexing.plan} says which
 * cells a run has, {@code indexing.run} runs them, {@code indexing.cell} is what happens inside
 * one, {@code indexing.steady} finds the steady part of its rate, and {@code indexing.report} shows
 * the {@link io.weir.run.Run} that comes out.
 */
package io.weir.indexing;
