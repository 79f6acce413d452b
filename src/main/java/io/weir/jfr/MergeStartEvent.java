package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.weir.MergeStart")
@Label("Merge Start")
@Description("A merge begins")
@Category({"Weir", "Merges"})
@StackTrace(false)
final class MergeStartEvent extends Event {

  @Label("Index")
  String index;

  @Label("Merge")
  @Description("Number of the merge, the same as of its end")
  long number;

  @Label("Kind")
  String kind;

  @Label("Estimated Size")
  @Description("What the merged segment is expected to take; -1 if that is not known")
  @DataAmount
  long estimatedBytes;
}
