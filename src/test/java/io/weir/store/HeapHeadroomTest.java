package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeapHeadroomTest {

  private static final int MAX = 1000;

  @Test
  void admits_leavesTheApplicationAQuarterOfTheHeap() {
    HeapHeadroom room = new HeapHeadroom(MAX, () -> 600, () -> 600);
    assertTrue(room.admits(150));
    assertFalse(room.admits(151));
  }

  @Test
  void admits_whatIsInEden_doesNotCountWhenThereIsTooLittleRoomWithIt() {
    HeapHeadroom room = new HeapHeadroom(MAX, () -> 900, () -> 500);
    assertTrue(room.admits(250));
    assertFalse(room.admits(251));
  }

  @Test
  void admits_withoutMemoryBeans_countsAllGarbage() {
    HeapHeadroom room = new HeapHeadroom(MAX, () -> 600, () -> Long.MAX_VALUE);
    assertTrue(room.admits(150));
    assertFalse(room.admits(151));
  }

  @Test
  void ofThisJvm_admitsLittleAndNotTheWholeHeap() {
    assertTrue(HeapHeadroom.OF_THIS_JVM.admits(1));
    assertFalse(HeapHeadroom.OF_THIS_JVM.admits(Runtime.getRuntime().maxMemory()));
  }
}
