/**
 * How the tests are run: which of them are slow, which need the machine for themselves, and how
 * they start a JVM.
 *
 * <p>{@code tools/test --fast} leaves out what is {@link io.weir.suite.Slow}. Several JVMs share
 * the rest of the classes, except those that are {@link io.weir.suite.Alone}.
 */
package io.weir.suite;
