package io.weir.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HumanRateTest {

  @ParameterizedTest
  @CsvSource({
    "1B/s, 1",
    "10MB/s, 10000000",
    "10 MB/s, 10000000",
    "10mb/S, 10000000",
    "1.5GB/s, 1500000000",
    "512KiB/s, 524288",
    "1.5 GiB/s, 1610612736",
    "2MiB/s, 2097152",
    "7kB/s, 7000",
    "0.5B/s, 1",
    "16GiB/s, 17179869184"
  })
  void parse_aRate_isBytesPerSecond(String text, long bytesPerSecond) {
    assertEquals(bytesPerSecond, HumanRate.parse("cap", text));
    assertEquals(Rate.perSecond(bytesPerSecond), HumanRate.parseOrOff("cap", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "OFF", " off "})
  void parseOrOff_off_isUnlimited(String text) {
    assertEquals(Rate.UNLIMITED, HumanRate.parseOrOff("cap", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "10MB", "MB/s", "-1MB/s", "1e3B/s", "10TB/s", "1,5MB/s", "10MB/s x"})
  void parse_noRate_isRefused(String text) {
    assertRefused("cap must be a rate such as 10MB/s or 512KiB/s, or off: " + text, text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0MB/s", "0.4B/s", "17GiB/s", "99999999999999999999999999999999999999GB/s"})
  void parse_outOfRange_isRefused(String text) {
    assertRefused("cap must be from 1B/s to 16GiB/s: " + text, text);
  }

  @Test
  void parse_ofAnOptionThatCannotBeOff_doesNotOfferIt() {
    assertEquals(
        "lucene-force-merge-cap must be a rate such as 10MB/s or 512KiB/s: off",
        assertThrows(
                IllegalArgumentException.class,
                () -> HumanRate.parse("lucene-force-merge-cap", "off"))
            .getMessage());
  }

  private static void assertRefused(String message, String text) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> HumanRate.parseOrOff("cap", text))
            .getMessage());
  }
}
