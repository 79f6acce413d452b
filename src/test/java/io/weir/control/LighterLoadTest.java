package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Going back to a rate that held, and not again and again. */
class LighterLoadTest {

  private static final long SECOND = 1_000_000_000L;

  private final LighterLoad load = new LighterLoad();

  private void holds(double rate) {
    load.unchanged(rate, LighterLoad.HELD_NANOS);
  }

  @Test
  void rateThatHeld_isGoneBackToByDoublings() {
    holds(20e6);
    load.cut();

    assertFalse(load.isBack(6e6, 12_799_999_999L), "calm for less than 12.8 s");
    assertTrue(load.isBack(6e6, 12_800_000_000L));
    assertEquals(12e6, load.next(6e6));
    assertTrue(load.isBack(12e6, 0), "on the way");
    assertEquals(20e6, load.next(12e6));
    assertFalse(load.isBack(20e6, 60 * SECOND), "it is back");
  }

  @Test
  void rateThatWasCutSoon_isNoneToGoBackTo() {
    load.unchanged(20e6, LighterLoad.HELD_NANOS - 1);
    load.cut();

    assertFalse(load.isBack(6e6, 60 * SECOND));
  }

  /** A burst that comes back as soon as merges are fast again. */
  @Test
  void returnThatEndsInACut_forgetsTheRate_andTakesFourTimesAsLongNext() {
    holds(20e6);
    load.cut();
    assertTrue(load.isBack(12e6, 13 * SECOND));
    load.next(12e6);
    load.cut();
    assertFalse(load.isBack(6e6, 120 * SECOND), "20 MB/s did not hold");

    holds(10e6);
    load.cut();
    assertFalse(load.isBack(6e6, 51 * SECOND));
    assertTrue(load.isBack(6e6, 52 * SECOND));
  }

  /** What it returned to has held: the next burst is another one. */
  @Test
  void returnThatHeld_isRepeated() {
    holds(20e6);
    load.cut();
    load.isBack(12e6, 13 * SECOND);
    load.next(12e6);
    holds(20e6);
    load.cut();

    assertTrue(load.isBack(6e6, 52 * SECOND), "still known, at four times the time");
  }

  @Test
  void samplesFarBelowTheLimit_areAnotherLoadAfterEightSeconds() {
    assertFalse(load.isAnother(LighterLoad.LOW_NANOS - 1));
    assertTrue(load.isAnother(LighterLoad.LOW_NANOS));
    load.cut();

    assertFalse(load.isAnother(4 * LighterLoad.LOW_NANOS - 1), "it was not");
    assertTrue(load.isAnother(4 * LighterLoad.LOW_NANOS));
  }

  /** The waits stay within two minutes, and a rest of merges forgets all. */
  @Test
  void waits_areBounded_andForgottenAfterARest() {
    holds(20e6);
    for (int i = 0; i < 10; i++) {
      load.isAnother(1_000 * SECOND);
      load.cut();
    }
    assertFalse(load.isAnother(127 * SECOND));
    assertTrue(load.isAnother(128 * SECOND));

    load.rest();
    assertTrue(load.isAnother(LighterLoad.LOW_NANOS));
    assertFalse(load.isBack(6e6, 1_000 * SECOND), "no rate is known");
  }
}
