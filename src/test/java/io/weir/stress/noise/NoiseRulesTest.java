package io.weir.stress.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NoiseRulesTest {

  private static final HostNoise QUIET = noise(1.0, 5.0, 20_000_000);
  private static final LatencySummary STEADY = late(5, 100);

  @Test
  void upToTheBounds_nothingIsFound() {
    assertEquals(List.of(), NoiseRules.before(QUIET, STEADY));
    assertEquals(List.of(), NoiseRules.during(phases(QUIET, QUIET, QUIET), STEADY));
  }

  @Test
  void whatWasNotMeasured_findsNothing() {
    HostNoise unknown = new HostNoise(10, Optional.empty(), Optional.empty(), Optional.empty());
    assertEquals(List.of(), NoiseRules.before(unknown, LatencySummary.EMPTY));
    assertEquals(List.of(), NoiseRules.during(Values.NONE, LatencySummary.EMPTY));
    assertEquals(List.of(), NoiseRules.during(phases(unknown, unknown, unknown), STEADY));
  }

  @Test
  void beyondTheBounds_eachIsNamedWithItsFigure() {
    assertEquals(
        List.of(
            "a hypervisor took 1.1 % of the processors' time before anything ran",
            "others wrote 20 MB to files before anything ran",
            "a thread of an idle JVM woke up 5.1 ms late (p99), at worst 5.2 ms, before anything"
                + " ran",
            "tasks waited for a disk for 5.1 % of the time before anything ran"),
        what(NoiseRules.before(noise(1.1, 5.1, 20_000_001), late(5.1, 5.2))));
    assertEquals(
        List.of(
            "others wrote 500 MB to files during the merge",
            "a thread of an idle JVM woke up 0.1 ms late (p99), at worst 101 ms, while the arm"
                + " ran"),
        what(
            NoiseRules.during(
                phases(QUIET, noise(0.0, 99.0, 500_000_000), QUIET), late(0.1, 101))));
  }

  private static List<String> what(List<RunWarning> findings) {
    return findings.stream().map(RunWarning::what).toList();
  }

  private static LatencySummary late(double p99Millis, double maxMillis) {
    return new LatencySummary(1000, 0.1, 0.1, 0.1, p99Millis, maxMillis);
  }

  private static HostNoise noise(double steal, double pressure, long dirtied) {
    return new HostNoise(10, Optional.of(steal), Optional.of(pressure), Optional.of(dirtied));
  }

  private static Values phases(HostNoise before, HostNoise during, HostNoise after) {
    return Values.builder()
        .put(ArmFigures.NOISE_HOST, Phase.BEFORE, before)
        .put(ArmFigures.NOISE_HOST, Phase.DURING, during)
        .put(ArmFigures.NOISE_HOST, Phase.AFTER, after)
        .build();
  }
}
