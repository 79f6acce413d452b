package io.weir.benchmark.grants;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** How much memory children take that nothing was ever claimed from. */
final class IdleChildren {

  private IdleChildren() {}

  /** Bytes of heap for each of {@code count}, their names not counted. */
  static double bytesEach(int count) {
    ByteBudget parent = ByteBudget.perSecond(100_000_000);
    BudgetOptions options = BudgetOptions.named("index");
    List<ByteBudget> children = new ArrayList<>(count);
    long before = usedBytes();
    for (int i = 0; i < count; i++) {
      children.add(parent.child(options));
    }
    long after = usedBytes();
    Reference.reachabilityFence(children);
    return (double) (after - before) / count;
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
