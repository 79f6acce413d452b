package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What seconds of a disk say of its limit. */
class DiskLimitTest {

  private static final double KIBIBYTE = 1024;

  private final List<DiskLimit.Second> seconds = new ArrayList<>();

  /** Some seconds of a disk that is always busy. */
  private void full(int count, double operations, double kibibytesEach) {
    add(count, operations, kibibytesEach, 100, 8);
  }

  private void add(int count, double operations, double kibibytesEach, double busy, double queue) {
    for (int i = 0; i < count; i++) {
      double jitter = 1 + 0.04 * (i % 3 - 1);
      seconds.add(
          new DiskLimit.Second(
              operations * jitter, operations * jitter * kibibytesEach * KIBIBYTE, busy, queue));
    }
  }

  private double value(Fact fact) {
    Map<Fact, Double> facts = DiskLimit.facts(seconds);
    assertTrue(facts.containsKey(fact), facts.toString());
    return facts.get(fact);
  }

  @Test
  void facts_ofADiskThatGivesTheSame_sayThatItIsEven_andDidNotDrop() {
    full(10, 300, 16);

    assertEquals(100, value(Fact.DISK_EVEN));
    assertEquals(0, value(Fact.DISK_DROP), 10);
  }

  /** A limit of bytes: requests differ, what they sum up to does not. */
  @Test
  void facts_ofADiskThatGivesTheSameBytes_sayThatItIsEven() {
    for (int i = 0; i < 5; i++) {
      full(1, 1000, 16);
      full(1, 250, 64);
    }

    assertEquals(100, value(Fact.DISK_EVEN));
  }

  @Test
  void facts_ofADiskThatGivesNowMoreNowLess_sayThatItIsNot() {
    for (int i = 0; i < 5; i++) {
      full(1, 100 + 40 * i, 16);
      full(1, 300 - 25 * i, 128);
    }

    assertTrue(value(Fact.DISK_EVEN) < 50, () -> "" + value(Fact.DISK_EVEN));
  }

  /** One thread that reads one block after the other keeps it busy as well. */
  @Test
  void facts_ofADiskWhoseRequestsDoNotQueue_areOfNoLimit() {
    add(10, 300, 16, 100, 1);
    assertEquals(0, value(Fact.DISK_EVEN));

    seconds.clear();
    add(10, 300, 16, 60, 4);
    assertEquals(0, value(Fact.DISK_EVEN));
  }

  @Test
  void facts_ofAVolumeThatHasSpentItsCredits_haveTheDrop_andAreNotEven() {
    full(5, 900, 16);
    full(6, 300, 16);

    assertEquals(66.7, value(Fact.DISK_DROP), 5);
    assertTrue(value(Fact.DISK_EVEN) < 60, () -> "" + value(Fact.DISK_EVEN));
  }

  @Test
  void facts_ofADiskThatIsAskedForLess_haveNoDrop() {
    full(5, 900, 16);
    add(6, 300, 16, 40, 0.4);

    assertEquals(true, DiskLimit.facts(seconds).getOrDefault(Fact.DISK_DROP, 0.0) < 10);
  }

  /** Fewer operations of more bytes are another load, or another limit. */
  @Test
  void facts_ofADiskWhoseRequestsGrow_haveNoDrop() {
    full(5, 900, 16);
    full(6, 300, 256);

    assertEquals(0, value(Fact.DISK_DROP), 10);
  }

  @Test
  void facts_ofTooFewSeconds_areNone() {
    full(2, 300, 16);

    assertEquals(Map.of(), DiskLimit.facts(seconds));
  }
}
