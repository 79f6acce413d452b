package io.weir.nrt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Stacks of refreshes, each with its cause and the time that it stands for. The memory is bounded:
 * it keeps {@value #MAX_STACKS} different stacks of {@value #MAX_FRAMES} frames, and of all others
 * only their causes. The stacks may be those of another process.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> one at a time.
 */
public final class StackTally {

  static final int MAX_STACKS = 32;
  static final int MAX_FRAMES = 64;

  private record Key(ReopenCause cause, List<StackTraceElement> frames) {}

  private static final class Tally {
    private int samples;
    private long weightNanos;
  }

  private final Map<Key, Tally> tallies = new LinkedHashMap<>();
  private int taken;

  /** An empty one. */
  public StackTally() {}

  /** How many stacks were added. */
  public int taken() {
    return taken;
  }

  /**
   * Adds a stack.
   *
   * @param refresh the frames of the refresh only, innermost first; see {@link CauseRules#refresh}
   * @param blocked whether the thread waits to enter a monitor, which the frames do not show
   * @param weightNanos the time that it stands for
   * @return the cause that the stack shows
   */
  public ReopenCause add(List<StackTraceElement> refresh, boolean blocked, long weightNanos) {
    Objects.requireNonNull(refresh, "refresh");
    taken++;
    ReopenCause cause = CauseRules.of(refresh, blocked);
    Key key = new Key(cause, List.copyOf(refresh.subList(0, Math.min(refresh.size(), MAX_FRAMES))));
    if (tallies.size() >= MAX_STACKS && !tallies.containsKey(key)) {
      key = new Key(cause, List.of());
    }
    Tally tally = tallies.computeIfAbsent(key, k -> new Tally());
    tally.samples++;
    tally.weightNanos += weightNanos;
    return cause;
  }

  /** The sum of the times that the stacks stand for. */
  public long weightNanos() {
    return tallies.values().stream().mapToLong(tally -> tally.weightNanos).sum();
  }

  /**
   * The stacks, largest time first.
   *
   * @param nanos the time that is divided among them by their weights, and is their sum
   */
  public List<SlowReopen.Stack> stacks(long nanos) {
    List<SlowReopen.Stack> stacks = new ArrayList<>();
    long leftNanos = nanos;
    long leftWeights = weightNanos();
    for (Map.Entry<Key, Tally> entry : tallies.entrySet()) {
      Tally tally = entry.getValue();
      // A share of what is left, so that the parts add up to the whole.
      long share =
          leftWeights == 0 ? 0 : Math.round((double) leftNanos * tally.weightNanos / leftWeights);
      leftNanos -= share;
      leftWeights -= tally.weightNanos;
      Key key = entry.getKey();
      stacks.add(new SlowReopen.Stack(key.cause(), key.frames(), tally.samples, share));
    }
    stacks.sort(Comparator.comparingLong(SlowReopen.Stack::nanos).reversed());
    return stacks;
  }
}
