package io.weir.stress.experiment;

import io.weir.stress.plan.StressPlan;

/**
 * What a run on an engine would do, before it is begun.
 *
 * @param index where the engine and its index come from, in a sentence without a full stop
 */
public record EngineForecast(StressPlan plan, String index) {}
