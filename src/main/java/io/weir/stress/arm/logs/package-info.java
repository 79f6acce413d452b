/**
 * The files that an arm writes line by line while it runs: {@link
 * io.weir.stress.arm.logs.SlowReopenLog} explains slow reopens, {@link
 * io.weir.stress.arm.logs.GcPauseLog} lists the pauses of the garbage collector. Each log also adds
 * up what it writes, for the arm's result.
 */
package io.weir.stress.arm.logs;
