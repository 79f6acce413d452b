package io.weir.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.weir.BudgetWait")
@Label("Wait for the Budget")
@Description("A thread waits until its bytes may pass")
@Category({"Weir", "Budget"})
@StackTrace(false)
final class WaitEvent extends Event {

  @Label("Budget")
  String budget;

  @Label("Requested")
  @DataAmount
  long requestedBytes;

  @Label("Granted")
  @Description("Bytes granted; 0 if the thread gave up")
  @DataAmount
  long grantedBytes;
}
