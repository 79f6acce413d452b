package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.procfs.Procfs;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class MergeAccountTest {

  private final AutoClock clock = new AutoClock();
  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);

  @Test
  void now_noBudget_leavesItsFiguresAbsent() {
    assertEquals(new MergeAccount(0, null, null), MergeAccount.now(meter, null));
    assertEquals(new MergeAccount(0, null, null), MergeAccount.settled(meter, null, clock));
    assertEquals(0, clock.nanoTime(), "there is nothing to wait for");
  }

  @Test
  void settled_equalAtTheFirstLook_doesNotWait() {
    MergeAccount account = MergeAccount.settled(meter, ByteBudget.unlimited(), clock);

    assertEquals(new MergeAccount(0, 0L, 0L), account);
    assertEquals(0, clock.nanoTime());
  }

  @Test
  void settled_grantedBytesOnTheirWay_looksAgainForATimeAndTellsWhatItSees() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    budget.acquire(100);

    MergeAccount account = MergeAccount.settled(meter, budget, clock);

    assertEquals(new MergeAccount(0, 100L, 0L), account);
    assertEquals(200_000_000, clock.nanoTime());
  }

  @Test
  void directory_ofTheMeter_countsNothingWithoutAMerge() throws Exception {
    try (var directory = meter.directory(new ByteBuffersDirectory());
        var output = directory.createOutput("_0.fdt", org.apache.lucene.store.IOContext.DEFAULT)) {
      output.writeInt(1);
    }
    assertEquals(0, MergeAccount.now(meter, null).writtenBytes());
  }
}
