package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;
import java.util.Optional;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class MergeCountersTest {

  private final AutoClock clock = new AutoClock();
  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
  private final MergeCounters stock = new MergeCounters(meter, Optional.empty());

  @Test
  void bytes_noBudget_leavesItsFiguresAbsent() {
    assertEquals(new MergeCounters.Bytes(0, Optional.empty()), stock.bytes());
    assertEquals(new MergeCounters.Bytes(0, Optional.empty()), stock.settledBytes(clock));
    assertEquals(0, clock.nanoTime(), "there is nothing to wait for");
  }

  @Test
  void settled_equalAtTheFirstLook_doesNotWait() {
    MergeCounters.Bytes bytes = weir(ByteBudget.unlimited()).settledBytes(clock);

    assertEquals(0, bytes.writtenBytes());
    assertEquals(0, bytes.granted().orElseThrow().grantedBytes());
    assertEquals(0, clock.nanoTime());
  }

  @Test
  void settled_grantedBytesOnTheirWay_looksAgainForATimeAndReturnsWhatItSees() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    budget.acquire(100);

    MergeCounters.Bytes bytes = weir(budget).settledBytes(clock);

    assertEquals(0, bytes.writtenBytes());
    assertEquals(100, bytes.granted().orElseThrow().grantedBytes());
    assertEquals(200_000_000, clock.nanoTime());
  }

  @Test
  void directory_ofTheMeter_countsNothingWithoutAMerge() throws Exception {
    try (var directory = meter.directory(new ByteBuffersDirectory());
        var output = directory.createOutput("_0.fdt", org.apache.lucene.store.IOContext.DEFAULT)) {
      output.writeInt(1);
    }
    assertEquals(0, stock.bytes().writtenBytes());
  }

  private MergeCounters weir(ByteBudget budget) {
    return new MergeCounters(
        meter,
        Optional.of(
            new MergeCounters.Throttle(
                budget, new RateLimitedMergeScheduler(budget), new CapWatch())));
  }
}
