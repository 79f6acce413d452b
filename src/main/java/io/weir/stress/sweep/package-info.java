/**
 * The search for the cap that a machine can afford: which cap to measure next, and what follows
 * from those that were. {@link io.weir.stress.sweep.SweepPlan} is what is asked for; {@link
 * io.weir.stress.sweep.CapSweep} gives an experiment its arms; {@link
 * io.weir.stress.sweep.CapSearch} decides, knowing nothing of arms. Nothing here runs anything.
 */
package io.weir.stress.sweep;
