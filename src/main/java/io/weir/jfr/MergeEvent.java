package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weir.Merge")
@Label("Merge")
@Description("A merge, from its start to its end")
@Category({"Weir", "Merges"})
@StackTrace(false)
final class MergeEvent extends Event {

  @Label("Index")
  String index;

  @Label("Merge")
  @Description("Number of the merge in its scheduler")
  long number;

  @Label("Kind")
  @Description("natural, forced, critical (a reopen or a commit waited for it) or other")
  String kind;

  @Label("Outcome")
  String outcome;

  @Label("Segment")
  @Description("The merged segment")
  String segment;

  @Label("Written")
  @Description("Bytes written, including temporary and compound files")
  @DataAmount
  long writtenBytes;

  @Label("Pauses")
  long pauses;

  @Label("Paused")
  @Description("Time that its threads waited for the budget or yielded, summed over threads")
  @Timespan(Timespan.NANOSECONDS)
  long pausedNanos;
}
