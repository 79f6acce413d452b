package io.weir.load.result;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One arm in one round: its steps, also those before it failed.
 *
 * @param settings by their keys; none where the service is not ours
 * @param floor what the client needs for a request that nothing answers but itself; empty when the
 *     arm ended before
 * @param warmUpPerSecond requests answered per second in the warm-up, four at a time
 * @param gc of the server's JVM; empty where it is not ours or died
 * @param failure why the arm ended early; empty if it did not
 */
public record LoadArm(
    String name,
    int round,
    ArmStatus status,
    Map<String, String> settings,
    Optional<Latency> floor,
    Optional<Double> warmUpPerSecond,
    List<LoadStep> steps,
    Saturation saturation,
    Optional<GcResult> gc,
    Optional<ArmFailure> failure,
    List<RunWarning> warnings) {}
