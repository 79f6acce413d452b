package io.weir.benchmark.operationscap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeviceOperationsTest {

  /** 100 operations per second for 20 s, but 250 in the one from 12 to 13 s. */
  private static DeviceOperations burst() {
    DeviceOperations operations = new DeviceOperations();
    long count = 5_000;
    for (int tenth = 0; tenth <= 200; tenth++) {
      operations.add(tenth * 100_000_000L, count);
      count += tenth >= 120 && tenth < 130 ? 25 : 10;
    }
    return operations;
  }

  @Test
  void means_areThoseOfTheWindows() {
    DeviceOperations operations = burst();

    assertEquals(20, operations.seconds());
    assertEquals(107.5, operations.perSecondAfter(0).orElseThrow(), 1e-9);
    assertEquals(100, operations.perSecondAfter(13).orElseThrow(), 1e-9);
    assertEquals(250, operations.mostPerSecondIn(1).orElseThrow(), 1e-9);
    assertEquals(115, operations.mostPerSecondIn(10).orElseThrow(), 1e-9);
  }

  @Test
  void windowsThatAreTooLong_haveNoMean() {
    assertTrue(burst().perSecondAfter(20).isEmpty());
    assertTrue(burst().mostPerSecondIn(20.1).isEmpty());
  }
}
