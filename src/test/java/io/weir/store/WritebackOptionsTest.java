package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WritebackOptionsTest {

  @Test
  void default_isOneMebibyteWithOneRangeOnItsWay() {
    assertEquals(new WritebackOptions(1_048_576, 1), WritebackOptions.DEFAULT);
    assertFalse(WritebackOptions.DEFAULT.isOff());
    assertTrue(WritebackOptions.OFF.isOff());
  }

  @Test
  void with_changesThatOneAlone() {
    WritebackOptions options = WritebackOptions.DEFAULT.withRangeBytes(65536).withWindowRanges(3);
    assertEquals(new WritebackOptions(65536, 3), options);
  }

  @ParameterizedTest
  @CsvSource({
    "65535, 1",
    "65537, 1",
    "-65536, 1",
    "0, 1",
    "1073807360, 1",
    "65536, 0",
    "65536, 257"
  })
  void constructor_outOfRange_isRefusedWithTheValue(long rangeBytes, int windowRanges) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new WritebackOptions(rangeBytes, windowRanges))
            .getMessage();
    long wrong = windowRanges == 1 ? rangeBytes : windowRanges;
    assertTrue(message.endsWith(": " + wrong), message);
  }

  @Test
  void constructor_atTheEnds_isAccepted() {
    assertEquals(1, new WritebackOptions(65536, 1).windowRanges());
    assertEquals(256, new WritebackOptions(1 << 30, 256).windowRanges());
  }
}
