/**
 * What a run of {@code weir load} is to do, and the decisions on the way: {@link
 * io.weir.load.plan.StepRule} judges a step, {@link io.weir.load.plan.LoadSearch} says what to try
 * next. Nothing here has a clock, a thread or a file.
 */
package io.weir.load.plan;
