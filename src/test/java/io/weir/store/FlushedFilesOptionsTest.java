package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushedFilesOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 1 | maxFileBytes must be from 1 to 16777216 bytes (for none use FlushedFilesOptions.OFF): 0",
        "-1 | 1 | maxFileBytes must be from 1 to 16777216 bytes (for none use FlushedFilesOptions.OFF): -1",
        "16777217 | 99999999 | maxFileBytes must be from 1 to 16777216 bytes (for none use"
            + " FlushedFilesOptions.OFF): 16777217",
        "100 | 99 | maxHeldBytes must be at least maxFileBytes, 100 bytes: 99"
      })
  void new_outOfRange_namesTheRule(long maxFileBytes, long maxHeldBytes, String message) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class,
                () -> new FlushedFilesOptions(maxFileBytes, maxHeldBytes))
            .getMessage());
  }

  @Test
  void with_eachValue_changesThatOne() {
    assertEquals(
        new FlushedFilesOptions(7, 99),
        FlushedFilesOptions.DEFAULT.withMaxFileBytes(7).withMaxHeldBytes(99));
    assertTrue(FlushedFilesOptions.OFF.isOff());
    assertFalse(FlushedFilesOptions.DEFAULT.isOff());
  }
}
