package io.weir.stress.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DocumentKeysTest {

  @Test
  void of_aMillionNumbers_areAMillionKeys() {
    long[] keys = new long[1_000_000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = Long.parseUnsignedLong(DocumentKeys.of(i, 1), 16);
    }
    assertEquals(keys.length, Arrays.stream(keys).distinct().count());
  }

  @Test
  void of_anyNumber_hasSixteenDigits() {
    boolean leadingZero = false;
    for (int i = 0; i < 1000; i++) {
      String key = DocumentKeys.of(i, 1);
      assertTrue(key.matches("[0-9a-f]{16}"), key);
      leadingZero |= key.startsWith("0");
    }
    assertTrue(leadingZero, "small values are filled up");
  }

  @Test
  void of_neighbours_areFarApart() {
    int rising = 0;
    Set<String> firstTwoDigits = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      String key = DocumentKeys.of(i, 1);
      firstTwoDigits.add(key.substring(0, 2));
      rising += DocumentKeys.of(i + 1, 1).compareTo(key) > 0 ? 1 : 0;
    }
    assertEquals(256, firstTwoDigits.size());
    assertEquals(5_000, rising, 250, "as often up as down");
  }

  @Test
  void of_anotherSeed_givesOtherKeys() {
    assertEquals(DocumentKeys.of(5, 1), DocumentKeys.of(5, 1));
    assertNotEquals(DocumentKeys.of(5, 1), DocumentKeys.of(5, 2));
    assertNotEquals(DocumentKeys.of(0, 0), DocumentKeys.of(0, 1));
  }
}
