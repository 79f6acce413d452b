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
  @Description("Number of the merge in its scheduler")
  long number;

  @Label("Kind")
  String kind;

  @Label("Estimated Size")
  @Description("Expected size of the merged segment; -1 if unknown")
  @DataAmount
  long estimatedBytes;
}
