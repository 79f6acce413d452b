package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SplitMix64Test {

  /** The published first numbers of the generator for this seed. */
  @Test
  void next_knownSeed_givesThePublishedNumbers() {
    SplitMix64 random = new SplitMix64(1234567);
    assertEquals("6457827717110365317", Long.toUnsignedString(random.next()));
    assertEquals("3203168211198807973", Long.toUnsignedString(random.next()));
    assertEquals("9817491932198370423", Long.toUnsignedString(random.next()));
    assertEquals("4593380528125082431", Long.toUnsignedString(random.next()));
    assertEquals("16408922859458223821", Long.toUnsignedString(random.next()));
  }

  @Test
  void at_neighbours_startDifferentStreams() {
    assertNotEquals(SplitMix64.at(1, 2).next(), SplitMix64.at(1, 3).next());
    assertNotEquals(SplitMix64.at(1, 2).next(), SplitMix64.at(2, 2).next());
    assertNotEquals(SplitMix64.at(1, 2).next(), SplitMix64.at(2, 1).next());
  }

  @Property(tries = 200)
  void below_anyBound_staysBelowIt(@ForAll long seed, @ForAll @IntRange(min = 1) int bound) {
    int number = new SplitMix64(seed).below(bound);
    assertTrue(number >= 0 && number < bound, () -> number + " of " + bound);
  }
}
