/**
 * Values as people type them: {@link io.weir.option.HumanRate}, {@link io.weir.option.HumanBytes}
 * and {@link io.weir.option.HumanDuration} parse and print them, {@link
 * io.weir.option.HumanSchedule} parses hours and their rates, and {@link
 * io.weir.option.NearestName} finds the name that a misspelled one stands for. The command line,
 * the plug-ins and the agent read their options with these; applications may too.
 *
 * <p>Ring 2: may use {@code rate}.
 */
package io.weir.option;
