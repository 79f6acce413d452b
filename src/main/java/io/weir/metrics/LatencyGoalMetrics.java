package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.control.GoalReason;
import io.weir.control.GoalSnapshot;
import io.weir.control.LatencyGoal;
import java.util.Objects;

/**
 * The meters of a {@link LatencyGoal}: what it holds, what it sees and how it decides. Its rate is
 * the cap of {@link BudgetMetrics}. Bind it when the goal holds all its latencies; the tag {@code
 * budget} is the budget's name.
 */
public final class LatencyGoalMetrics extends WeirMeterBinder {

  private final LatencyGoal goal;

  /** Without further tags. */
  public LatencyGoalMetrics(LatencyGoal goal) {
    this(goal, Tags.empty());
  }

  /**
   * With additional tags.
   *
   * @param tags without the keys {@code budget}, {@code latency} and {@code reason}
   */
  public LatencyGoalMetrics(LatencyGoal goal, Tags tags) {
    super(tags, TagKeys.BUDGET, TagKeys.LATENCY, TagKeys.REASON);
    this.goal = Objects.requireNonNull(goal, "goal");
  }

  @Override
  Runnable register(MeterSet meters) {
    String budget = goal.budget().name();
    int count = goal.snapshot().held().size();
    for (int i = 0; i < count; i++) {
      int at = i;
      String latency = held(at).target().latency();
      meters.all(GoalSnapshot.Held.FIGURES, () -> held(at), budget, latency);
    }
    meters.all(GoalSnapshot.FIGURES, goal::snapshot, budget);
    for (GoalReason reason : GoalReason.values()) {
      meters.counter(
          WeirMeter.GOAL_DECISIONS,
          () -> goal.snapshot().decisions().getOrDefault(reason, 0L),
          budget,
          MeterSet.tagValue(reason));
    }
    return () -> {};
  }

  private GoalSnapshot.Held held(int index) {
    return goal.snapshot().held().get(index);
  }
}
