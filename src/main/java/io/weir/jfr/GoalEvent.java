package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weir.LatencyGoal")
@Label("Latency Goal")
@Description("A latency goal changed the rate of its budget, or has a new reason to leave it")
@Category({"Weir", "Budget"})
@StackTrace(false)
final class GoalEvent extends Event {

  @Label("Budget")
  String budget;

  @Label("Target")
  @Description("The target that decided, or is closest to being missed")
  String target;

  @Label("Reason")
  String reason;

  @Label("Before")
  @Description("Rate per second before")
  @DataAmount
  long beforeRateBytes;

  @Label("After")
  @Description("Rate per second from now on")
  @DataAmount
  long afterRateBytes;

  @Label("Floor")
  @Description("Lowest rate per second")
  @DataAmount
  long floorRateBytes;

  @Label("Used")
  @Description("What the budget granted per second")
  @DataAmount
  long usedRateBytes;

  @Label("Seen")
  @Description("The target's percentile over the last seconds; -1 without samples")
  @Timespan(Timespan.NANOSECONDS)
  long seenNanos;

  @Label("Samples")
  @Description("Samples since the last change of the rate")
  long samples;

  @Label("Misses")
  @Description("Those that took longer than the limit")
  long misses;
}
