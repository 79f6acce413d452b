/**
 * A Java agent that caps and measures the merges of an application which embeds Lucene and cannot
 * be changed. A leaf, in an artifact of its own.
 *
 * <p>There are three packages, by class loader. The system class loader loads this one: {@link
 * io.weir.agent.WeirAgent} is called by the JVM, {@link io.weir.agent.Hooks} by the instrumented
 * methods of Lucene, and {@link io.weir.agent.NestedLoader} loads the others. {@code process} holds
 * what exists once in a JVM, {@code lucene} what exists once for each loader of Lucene.
 */
package io.weir.agent;
