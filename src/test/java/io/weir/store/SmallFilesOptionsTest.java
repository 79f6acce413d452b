package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallFilesOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 1 | maxFileBytes must be from 1 to 1048576 bytes (for none use SmallFilesOptions.OFF): 0",
        "-1 | 1 | maxFileBytes must be from 1 to 1048576 bytes (for none use SmallFilesOptions.OFF): -1",
        "1048577 | 9999999 | maxFileBytes must be from 1 to 1048576 bytes (for none use"
            + " SmallFilesOptions.OFF): 1048577",
        "100 | 99 | maxHeldBytes must be at least maxFileBytes, 100 bytes: 99"
      })
  void new_outOfRange_namesTheRule(long maxFileBytes, long maxHeldBytes, String message) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class,
                () -> new SmallFilesOptions(maxFileBytes, maxHeldBytes))
            .getMessage());
  }

  @Test
  void with_eachValue_changesThatOne() {
    assertEquals(
        new SmallFilesOptions(7, 99),
        SmallFilesOptions.DEFAULT.withMaxFileBytes(7).withMaxHeldBytes(99));
    assertTrue(SmallFilesOptions.OFF.isOff());
    assertFalse(SmallFilesOptions.DEFAULT.isOff());
  }
}
