package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.LatencySummary;
import io.weir.run.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CanaryTest {

  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

  @TempDir Path temp;

  private final AutoClock clock = new AutoClock();
  private final FakeMachine machine = new FakeMachine();

  /** A machine whose operations take as long as the test says. */
  private final class FakeMachine implements Canary.Machine {

    private long readNanos = 6_000_000;
    private long syncNanos = 9_000_000;
    private long sumNanos = 4_000_000;
    private boolean readsDisk = true;
    private final List<Long> reads = new ArrayList<>();

    @Override
    public boolean readsDisk() {
      return readsDisk;
    }

    @Override
    public void read(long number) {
      reads.add(number);
      clock.advanceNanos(readNanos);
    }

    @Override
    public void sync(long number) throws IOException {
      if (syncNanos < 0) {
        throw new IOException("no such disk");
      }
      clock.advanceNanos(syncNanos);
    }

    @Override
    public void sum() {
      clock.advanceNanos(sumNanos);
    }

    @Override
    public void close() {}
  }

  private Values measure() throws Exception {
    return Canary.measure(machine, FIVE_SECONDS, clock, () -> false);
  }

  private static LatencySummary of(Values values, Probe probe) {
    return values.require(CanaryFigures.TOOK, probe);
  }

  @Test
  void measure_aMachine_saysWhatEachOperationTook_inFiveSeconds() throws Exception {
    Values values = measure();
    assertEquals(6, of(values, Probe.READ).p50Millis(), 0.01);
    assertEquals(9, of(values, Probe.SYNC).p50Millis(), 0.01);
    assertEquals(4, of(values, Probe.SUM).p50Millis(), 0.01);
    assertEquals(334, of(values, Probe.READ).count()); // two seconds, one after the other
    assertEquals(200, of(values, Probe.SYNC).count());
    assertEquals(250, of(values, Probe.SUM).count());
    assertTrue(clock.nanoTime() < FIVE_SECONDS.toNanos() + 20_000_000, "" + clock.nanoTime());
    assertEquals(machine.reads.size(), machine.reads.stream().distinct().count());
  }

  /** So that a volume keeps its credits for the arm. */
  @Test
  void measure_aFastDisk_asksForLittle() throws Exception {
    machine.readNanos = 1000;
    machine.syncNanos = 1000;
    Values values = measure();
    assertEquals(1000, of(values, Probe.READ).count());
    assertEquals(200, of(values, Probe.SYNC).count());
    assertEquals(0.001, of(values, Probe.READ).p50Millis());
  }

  @Test
  void measure_readsThatCannotPassTheCache_areAbsent() throws Exception {
    machine.readsDisk = false;
    Values values = measure();
    assertTrue(values.get(CanaryFigures.TOOK, Probe.READ).isEmpty());
    assertEquals(9, of(values, Probe.SYNC).p50Millis(), 0.01);
  }

  @Test
  void measure_stopped_endsAtOnceWithoutFigures() throws Exception {
    Values values =
        Canary.measure(machine, FIVE_SECONDS, clock, () -> clock.nanoTime() >= 100_000_000);
    assertEquals(Values.NONE, values);
    assertTrue(clock.nanoTime() < 110_000_000, "" + clock.nanoTime());
  }

  @Test
  void measure_interrupted_ends() {
    machine.readNanos = 1000;
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, this::measure);
  }

  @Test
  void measure_aDiskThatFails_throws() {
    machine.syncNanos = -1;
    assertEquals("no such disk", assertThrows(IOException.class, this::measure).getMessage());
  }

  @Test
  void measure_thisMachine_leavesNoFile_norWhatAKilledOneLeft() throws Exception {
    Path index = Files.createDirectory(temp.resolve("index"));
    Files.writeString(temp.resolve("index.canary"), "of a run that was killed");
    Values values = Canary.measure(index, Duration.ofMillis(100), () -> false);
    assertTrue(of(values, Probe.SYNC).count() > 0, "" + values);
    assertTrue(of(values, Probe.SUM).p50Millis() > 0, "" + values);
    try (var left = Files.list(temp)) {
      assertEquals(List.of(index), left.toList());
    }
  }
}
