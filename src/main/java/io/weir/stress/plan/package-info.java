/**
 * What a run is to do, as checked records: {@link io.weir.stress.plan.StressPlan} holds the
 * documents and the {@link io.weir.stress.plan.Arm arms}; {@link
 * io.weir.stress.setting.ArmSettings} is all that one arm does, and {@link
 * io.weir.stress.plan.ArmQueue} which one is next. Nothing here does anything.
 */
package io.weir.stress.plan;
