/**
 * The files that an arm writes line by line while it runs: {@link io.weir.stress.arm.logs.ArmCsv}
 * and {@link io.weir.stress.arm.logs.HistogramLog} are their forms.
 *
 * <p>{@link io.weir.stress.arm.logs.SlowReopenLog} explains slow reopens, and adds up what it
 * writes, for the arm's result.
 */
package io.weir.stress.arm.logs;
