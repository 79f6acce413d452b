/**
 * A Java agent that caps and measures the merges of an application which embeds Lucene and cannot
 * be changed. A leaf, in an artifact of its own.
 *
 * <p>Three rooms, by class loader. This one is loaded by the system's: {@link
 * io.weir.agent.WeirAgent} is called by the JVM, {@link io.weir.agent.Hooks} by the instrumented
 * methods of Lucene, and {@link io.weir.agent.NestedLoader} loads the others. {@code process} holds
 * what exists once in a JVM, {@code lucene} what exists once for each loader of Lucene.
 */
package io.weir.agent;
