package io.weir.jmx;

import io.weir.control.GoalDecision;
import io.weir.control.GoalSnapshot;
import io.weir.control.LatencyGoal;
import io.weir.rate.Rate;
import java.util.List;
import java.util.Objects;

/**
 * Exposes a latency goal in JMX as {@code io.weir:type=LatencyGoal,name=...} until it is closed;
 * the name is that of its budget.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the goal.
 */
public final class LatencyGoalBean implements AutoCloseable {

  private final Registration registration;

  private LatencyGoalBean(Registration registration) {
    this.registration = registration;
  }

  /**
   * Registers at the platform's server.
   *
   * @throws IllegalStateException if a goal of a budget of that name is registered
   */
  public static LatencyGoalBean register(LatencyGoal goal) {
    Objects.requireNonNull(goal, "goal");
    return new LatencyGoalBean(
        Registration.of(
            "LatencyGoal", goal.budget().name(), new Shown(goal), LatencyGoalMXBean.class));
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    registration.close();
  }

  private record Shown(LatencyGoal goal) implements LatencyGoalMXBean {

    @Override
    public List<String> getTargets() {
      return goal.snapshot().held().stream().map(GoalSnapshot.Held::toString).toList();
    }

    @Override
    public Long getBytesPerSecond() {
      return limited(goal.snapshot().rate());
    }

    @Override
    public Long getFloorBytesPerSecond() {
      return goal.snapshot().last().map(GoalDecision::floorBytesPerSecond).orElse(null);
    }

    @Override
    public Long getCeilingBytesPerSecond() {
      return limited(goal.snapshot().ceiling());
    }

    @Override
    public String getReason() {
      return goal.snapshot().last().map(decision -> decision.reason().text()).orElse(null);
    }

    @Override
    public List<String> getLastMinute() {
      return goal.snapshot().explain();
    }

    private static Long limited(Rate rate) {
      return rate.isLimited() ? rate.bytesPerSecond() : null;
    }
  }
}
