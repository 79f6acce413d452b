package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weir.MergeDeadline")
@Label("Merge Deadline")
@Description("Whether forced merges will be done by their deadline")
@Category({"Weir", "Merges"})
@StackTrace(false)
@Period("1 s")
final class DeadlineEvent extends Event {

  @Label("Index")
  String index;

  @Label("Outlook")
  String outlook;

  @Label("Done")
  @Description("The part of the forced merges that is done; -1 when none runs")
  @Percentage
  double done;

  @Label("Needed")
  @Description("Time that the forced merges still need; -1 when unknown")
  @Timespan(Timespan.NANOSECONDS)
  long neededNanos;

  @Label("Left")
  @Description("Time until the deadline; negative after it")
  @Timespan(Timespan.NANOSECONDS)
  long leftNanos;

  @Label("Rate")
  @Description("What forced merges may write per second; -1 without a limit")
  @DataAmount
  long rateBytes;
}
