package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.weir.RateChange")
@Label("Change of Rate")
@Description("The cap of a budget was set")
@Category({"Weir", "Budget"})
final class RateEvent extends Event {

  @Label("Budget")
  String budget;

  @Label("Before")
  @Description("Bytes per second, unlimited or paused")
  String before;

  @Label("After")
  @Description("Bytes per second, unlimited or paused")
  String after;
}
