/**
 * The command line: ring 6, uses everything below; nothing uses it.
 *
 * <p>{@link io.weir.cli.Main} parses, runs and prints; the commands are one class each. Human
 * sizes, rates and durations are parsed by {@code option}.
 */
package io.weir.cli;
