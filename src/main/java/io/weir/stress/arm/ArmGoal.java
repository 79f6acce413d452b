package io.weir.stress.arm;

import io.weir.control.GoalOptions;
import io.weir.control.Latencies;
import io.weir.control.LatencyGoal;
import io.weir.control.LatencyTarget;
import io.weir.run.Values;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.meters.MergeThrottle;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;

/**
 * The latency goal of an arm, if it has one: it holds the latency of reopens, or of searches, from
 * their due times.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> closes the goal.
 */
final class ArmGoal implements Closeable {

  private final Optional<LatencyGoal> goal;
  private final Searches searches;

  /** As {@code settings} ask; there is a throttle if there is a goal. */
  ArmGoal(
      ArmSettings settings,
      Optional<MergeThrottle> throttle,
      Reopener reopener,
      Searches searches,
      Timeline timeline) {
    Optional<LatencyTarget> held = settings.get(ArmSetting.HOLD);
    if (held.isEmpty()) {
      this.goal = Optional.empty();
      this.searches = searches;
      return;
    }
    MergeThrottle merges = throttle.orElseThrow();
    LatencyTarget target = held.get();
    LatencyGoal opened =
        new LatencyGoal(merges.budget(), List.of(merges.scheduler()), GoalOptions.DEFAULT);
    this.goal = Optional.of(opened);
    if (target.latency().equals("reopen")) {
      opened.hold(reopener.monitor(), target.percentile(), target.limit());
      this.searches = searches;
    } else {
      Latencies latencies = opened.hold(target.latency(), target.percentile(), target.limit());
      this.searches = new Reported(searches, latencies, timeline);
    }
  }

  /** The goal; empty if the arm has none. */
  Optional<LatencyGoal> goal() {
    return goal;
  }

  /** The searches, which report to the goal if that holds them. */
  Searches searches() {
    return searches;
  }

  @Override
  public void close() {
    goal.ifPresent(LatencyGoal::close);
  }

  private record Reported(Searches searches, Latencies latencies, Timeline timeline)
      implements Searches {

    @Override
    public void run(long dueNanos, long startedNanos) throws Exception {
      Latencies.Running running = latencies.begin(timeline.onClock(dueNanos));
      try {
        searches.run(dueNanos, startedNanos);
      } finally {
        running.close();
      }
    }

    @Override
    public boolean isEmpty() {
      return searches.isEmpty();
    }

    @Override
    public Values hits() {
      return searches.hits();
    }
  }
}
