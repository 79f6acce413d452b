/**
 * What differs between arms, and whether it is more than chance: figures of the same round are
 * paired, and an interval tells what the difference may be.
 *
 * <p>{@link io.weir.report.compare.Comparison} is where to begin.
 */
package io.weir.report.compare;
