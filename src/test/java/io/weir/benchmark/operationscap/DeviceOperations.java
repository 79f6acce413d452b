package io.weir.benchmark.operationscap;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The operations of a device by time: its counter, sampled while something runs.
 *
 * <p><b>Units:</b> nanoseconds, operations. <b>Threads:</b> one at a time.
 */
final class DeviceOperations {

  private static final double NANOS_PER_SECOND = 1e9;

  private record Sample(long nanos, long operations) {}

  private final List<Sample> samples = new ArrayList<>();

  /** Adds a sample, in the order of time. */
  void add(long nanos, long operations) {
    samples.add(new Sample(nanos, operations));
  }

  double seconds() {
    return (samples.getLast().nanos() - samples.getFirst().nanos()) / NANOS_PER_SECOND;
  }

  /** The mean from so many seconds after the first sample to the last one; empty if too short. */
  OptionalDouble perSecondAfter(double seconds) {
    return samples.stream()
        .filter(s -> s.nanos() - samples.getFirst().nanos() >= seconds * NANOS_PER_SECOND)
        .findFirst()
        .filter(first -> first.nanos() < samples.getLast().nanos())
        .map(first -> OptionalDouble.of(perSecond(first, samples.getLast())))
        .orElse(OptionalDouble.empty());
  }

  /** The largest mean over so many seconds, or barely more; empty if that is too long. */
  OptionalDouble mostPerSecondIn(double seconds) {
    OptionalDouble most = OptionalDouble.empty();
    int end = 0;
    for (Sample first : samples) {
      while (end < samples.size()
          && samples.get(end).nanos() - first.nanos() < seconds * NANOS_PER_SECOND) {
        end++;
      }
      if (end == samples.size()) {
        break;
      }
      double mean = perSecond(first, samples.get(end));
      most = OptionalDouble.of(Math.max(mean, most.orElse(0)));
    }
    return most;
  }

  private static double perSecond(Sample first, Sample last) {
    return (last.operations() - first.operations())
        * NANOS_PER_SECOND
        / (last.nanos() - first.nanos());
  }
}
