package io.weir.store.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopiedPlacesTest {

  /** The first half became 100 bytes, the second 900; the merged file had 50 before. */
  private static CopiedPlaces unevenly() {
    CopiedPlaces places = new CopiedPlaces(1000);
    places.add(0, 50);
    places.add(500, 150);
    places.end(1050);
    return places;
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0, 0", "50, 0.25", "100, 0.5", "550, 0.75", "1000, 1", "1001, 1"})
  void shareAt_isThatOfThePlaceThatWasCopiedThere(double merged, double share) {
    assertEquals(share, unevenly().shareAt(merged), 1e-9);
    assertEquals(1000, unevenly().mergedBytes());
  }

  @Test
  void evenly_isALine() {
    CopiedPlaces places = CopiedPlaces.evenly(1000, 0.5);
    assertEquals(500, places.mergedBytes());
    assertEquals(0.5, places.shareAt(250), 1e-9);
  }

  /** Its header was read before the merge had a file. */
  @Test
  void firstPlace_isThatOfTheBeginning() {
    CopiedPlaces places = new CopiedPlaces(1000);
    places.add(40, 7);
    places.add(500, 7); // nothing was written meanwhile
    places.add(400, 8); // a jump back says nothing
    places.end(107);
    places.end(900); // it had ended before
    assertEquals(100, places.mergedBytes());
    assertEquals(0.75, places.shareAt(50), 1e-9);
  }

  @Test
  void file_thatIsCopiedByTurns_isNotKnown() {
    CopiedPlaces places = unevenly();
    assertTrue(places.isKnown());
    places.add(700, 1100);
    assertFalse(places.isKnown());
  }

  @Test
  void nothing_isKnownBeforeTheMergeReadsIt() {
    CopiedPlaces places = new CopiedPlaces(1000);
    places.end(107);
    assertFalse(places.isKnown());
  }
}
