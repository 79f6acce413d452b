package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.weir.Reopen")
@Label("Reopen")
@Description("A reopen that has ended; unknown phases are 0")
@Category({"Weir", "Reopens"})
@StackTrace(false)
final class ReopenEvent extends Event {

  @Label("Index")
  String index;

  @Label("Result")
  String result;

  @Label("Latency")
  @Description("From the due time if it is known, otherwise from the call, to the end")
  @Timespan(Timespan.NANOSECONDS)
  long latencyNanos;

  @Label("Total")
  @Description("From the call to the end")
  @Timespan(Timespan.NANOSECONDS)
  long totalNanos;

  @Label("Lock Wait")
  @Timespan(Timespan.NANOSECONDS)
  long lockWaitNanos;

  @Label("Flush")
  @Timespan(Timespan.NANOSECONDS)
  long flushNanos;

  @Label("Apply Deletes")
  @Timespan(Timespan.NANOSECONDS)
  long applyDeletesNanos;

  @Label("Open Readers")
  @Timespan(Timespan.NANOSECONDS)
  long openReadersNanos;

  @Label("Merge Wait")
  @Timespan(Timespan.NANOSECONDS)
  long mergeWaitNanos;

  @Label("Warm")
  @Timespan(Timespan.NANOSECONDS)
  long warmNanos;

  @Label("Release")
  @Timespan(Timespan.NANOSECONDS)
  long releaseNanos;
}
