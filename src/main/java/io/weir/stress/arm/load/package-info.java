/**
 * The load of an arm: reopens, searches, updates and commits. An {@link
 * io.weir.stress.arm.load.OpenLoop} runs each of them at the times of a {@link
 * io.weir.stress.arm.load.Schedule}; {@link io.weir.stress.arm.load.Load} holds all four. {@link
 * io.weir.stress.arm.load.WarmUp} decides when reopens are steady enough to be measured.
 */
package io.weir.stress.arm.load;
