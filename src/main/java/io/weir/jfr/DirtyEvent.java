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
@Description("What Linux has in the page cache that is not on disk yet; -1 where it does not tell")
@Category({"Weir", "Kernel"})
@StackTrace(false)
@Period("1 s")
final class DirtyEvent extends Event {

  @Label("Dirty")
  @DataAmount
  long dirtyBytes;

  @Label("Writeback")
  @Description("On its way to disk")
  @DataAmount
  long writebackBytes;

  @Label("Background Threshold")
  @Description("Where the kernel begins to write back")
  @DataAmount
  long backgroundThresholdBytes;

  @Label("Threshold")
  @Description("Where writers wait")
  @DataAmount
  long thresholdBytes;
}
