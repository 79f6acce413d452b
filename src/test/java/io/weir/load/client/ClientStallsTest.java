package io.weir.load.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClientStallsTest {

  private static final long MS = 1_000_000;

  private final ClientStalls stalls = new ClientStalls();

  @Test
  void tookMostOf_aRequestInsideAStall_isTheClients() {
    stalls.add(120 * MS, 100 * MS); // from 20 to 120

    assertTrue(stalls.tookMostOf(10 * MS, 10 * MS, 121 * MS));
    assertTrue(stalls.tookMostOf(100 * MS, 120 * MS, 121 * MS), "it was sent late");
  }

  /** What a stopped server does must not vanish behind a hiccup of the client. */
  @Test
  void tookMostOf_aLongWaitWithAShortStall_isTheServers() {
    stalls.add(120 * MS, 100 * MS);

    assertFalse(stalls.tookMostOf(10 * MS, 10 * MS, 2010 * MS));
  }

  @Test
  void tookMostOf_lessThanFiveMilliseconds_isTheServers() {
    assertFalse(stalls.tookMostOf(0, 4 * MS, 4 * MS + 1));
    assertTrue(stalls.tookMostOf(0, 5 * MS, 5 * MS + 1));
  }

  @Test
  void tookMostOf_aRequestBesideAStall_isTheServers() {
    stalls.add(120 * MS, 100 * MS);

    assertFalse(stalls.tookMostOf(0, 0, 20 * MS));
    assertFalse(stalls.tookMostOf(120 * MS, 120 * MS, 220 * MS));
  }

  /** A stall of 100 ms covers twenty turns of the meter, each with its own delay. */
  @Test
  void add_turnsOfOneStall_areOne() {
    for (long late = 100; late > 0; late -= 5) {
      stalls.add(120 * MS, late * MS);
    }
    stalls.add(300 * MS, 7 * MS);
    stalls.add(400 * MS, 2 * MS); // no stall

    assertEquals(2, stalls.count(0, 1000 * MS));
    assertEquals(1, stalls.count(0, 200 * MS));
    assertEquals(100 * MS, stalls.longestNanos(0, 1000 * MS));
    assertEquals(0, stalls.longestNanos(500 * MS, 1000 * MS));
  }
}
