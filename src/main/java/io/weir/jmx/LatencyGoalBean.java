package io.weir.jmx;

import io.weir.control.GoalSnapshot;
import io.weir.control.LatencyGoal;
import java.util.Objects;
import java.util.Optional;

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
            "LatencyGoal",
            goal.budget().name(),
            new FiguresBean("A latency goal: what it holds, sees and does", Optional.empty())
                .with(GoalSnapshot.FIGURES, goal::snapshot)));
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    registration.close();
  }
}
