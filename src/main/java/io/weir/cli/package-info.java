/**
 * The command line: ring 6, uses everything below; nothing uses it.
 *
 * <p>{@link io.weir.cli.Main} parses, runs and prints; the commands are one class each. Human
 * sizes, rates and durations become numbers here and nowhere else.
 */
package io.weir.cli;
