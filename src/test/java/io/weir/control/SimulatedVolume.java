package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * A disk, a merge each of whose bytes costs a changing number of operations, reads and writes
 * apart, others with operations of their own, and an {@link OperationsPolicy} that sets the rate
 * ten times a second. An operation is done a while after its bytes were charged; operations come at
 * random times. Time is simulated.
 */
final class SimulatedVolume {

  static final double TICK_SECONDS = 0.1;

  private static final double STEP_SECONDS = 0.02;
  private static final double CHUNK_BYTES = 32 * 1024;

  /** The state after a tick. */
  record Tick(
      double seconds, OperationsDecision decision, long operations, double usedBytesPerSecond) {}

  // The world, by seconds; change before run.
  DoubleUnaryOperator bytesPerOperation = t -> 65_536;
  DoubleUnaryOperator bytesPerRead = t -> 1 << 20;
  DoubleUnaryOperator shareOfReads = t -> 0; // of the bytes of merges
  DoubleUnaryOperator othersPerSecond = t -> 0;
  DoubleUnaryOperator mergeDemand = t -> 1e9; // bytes per second
  DoubleUnaryOperator keepUp = t -> 0;
  DoubleUnaryOperator counted = t -> 1; // 0: the kernel does not say
  double delaySeconds = 0.1;
  double ceiling = 16L << 30;

  final List<Tick> ticks = new ArrayList<>();

  private final Random random;
  private final double limit;
  private final OperationsPolicy policy;

  SimulatedVolume(long seed, long limit) {
    this.random = new Random(seed);
    this.limit = limit;
    this.policy = new OperationsPolicy(limit, 0);
  }

  SimulatedVolume run(double seconds) {
    double rate = 0; // until the first decision
    double owed = 0; // operations of chunks that are not due yet, by steps
    double[] due = new double[(int) Math.round(delaySeconds / STEP_SECONDS) + 1];
    int steps = (int) Math.round(seconds / STEP_SECONDS);
    int stepsOfTick = (int) Math.round(TICK_SECONDS / STEP_SECONDS);
    long reads = 0;
    long writes = 0;
    double owedReads = 0;
    double read = 0;
    double written = 0;
    boolean delayed = false;
    double fraction = 0;
    for (int step = 0; step < steps; step++) {
      double now = step * STEP_SECONDS;
      if (step % stepsOfTick == 0) {
        OperationsDecision decision =
            policy.decide(
                new OperationsSight(
                    Math.round(now * 1e9),
                    counted.applyAsDouble(now) > 0
                        ? Optional.of(new OperationCounters(reads, writes))
                        : Optional.empty(),
                    new ChargedBytes(Math.round(read), Math.round(written)),
                    delayed,
                    mergeDemand.applyAsDouble(now) > 0,
                    Math.round(keepUp.applyAsDouble(now)),
                    Math.round(ceiling)));
        ticks.add(new Tick(now, decision, reads + writes, (read + written) / TICK_SECONDS));
        rate = decision.bytesPerSecond();
        reads = 0;
        writes = 0;
        read = 0;
        written = 0;
        delayed = false;
      }
      double wanted = mergeDemand.applyAsDouble(now);
      fraction += Math.min(rate, wanted) * STEP_SECONDS;
      delayed |= rate < wanted;
      double granted = wanted < rate ? fraction : Math.floor(fraction / CHUNK_BYTES) * CHUNK_BYTES;
      fraction -= granted;
      double grantedReads = granted * shareOfReads.applyAsDouble(now);
      double grantedWrites = granted - grantedReads;
      read += grantedReads;
      written += grantedWrites;
      owedReads += grantedReads / bytesPerRead.applyAsDouble(now); // charged when they are done
      long readsDone = (long) owedReads;
      owedReads -= readsDone;
      reads += readsDone;
      int slot = step % due.length;
      owed += due[slot];
      due[slot] = grantedWrites / bytesPerOperation.applyAsDouble(now);
      long done = (long) owed;
      owed -= done;
      writes += done + poisson(othersPerSecond.applyAsDouble(now) * STEP_SECONDS);
    }
    return this;
  }

  private long poisson(double mean) {
    long count = 0;
    for (double left = mean + Math.log(1 - random.nextDouble());
        left > 0;
        left += Math.log(1 - random.nextDouble())) {
      count++;
    }
    return count;
  }

  /** Operations per second in a time, as a share of the limit. */
  double share(double fromSeconds, double toSeconds) {
    return between(fromSeconds, toSeconds).stream().mapToLong(Tick::operations).sum()
        / (toSeconds - fromSeconds)
        / limit;
  }

  /** The largest share in any so many seconds. */
  double mostIn(double windowSeconds, double fromSeconds, double toSeconds) {
    double most = 0;
    for (double at = fromSeconds; at + windowSeconds <= toSeconds + 1e-9; at += TICK_SECONDS) {
      most = Math.max(most, share(at, at + windowSeconds));
    }
    return most;
  }

  /** The standard deviation of the rate relative to its mean. */
  double unsteadiness(double fromSeconds, double toSeconds) {
    List<Tick> in = between(fromSeconds, toSeconds);
    double mean = in.stream().mapToLong(t -> t.decision().bytesPerSecond()).average().orElseThrow();
    double squares =
        in.stream()
            .mapToDouble(t -> Math.pow(t.decision().bytesPerSecond() - mean, 2))
            .average()
            .orElseThrow();
    return Math.sqrt(squares) / mean;
  }

  /** The ticks that end in a time. */
  List<Tick> between(double fromSeconds, double toSeconds) {
    return ticks.stream()
        .filter(t -> t.seconds() > fromSeconds + 1e-6 && t.seconds() <= toSeconds + 1e-6)
        .toList();
  }

  Tick at(double seconds) {
    return between(seconds - TICK_SECONDS, seconds).getFirst();
  }
}
