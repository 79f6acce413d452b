package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

@Name("io.weir.DirtyPages")
@Label("Dirty Pages")
@Description("Pages of the Linux page cache that are not on disk yet; -1 if unknown")
@Category({"Weir", "Kernel"})
@StackTrace(false)
@Period("1 s")
final class DirtyEvent extends Event {

  @Label("Dirty")
  @DataAmount
  long dirtyBytes;

  @Label("Writeback")
  @Description("Being written to disk")
  @DataAmount
  long writebackBytes;

  @Label("Background Threshold")
  @Description("Threshold at which writeback starts")
  @DataAmount
  long backgroundThresholdBytes;

  @Label("Threshold")
  @Description("Threshold at which writers wait")
  @DataAmount
  long thresholdBytes;
}
