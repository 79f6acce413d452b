package io.weir.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HumanBytesTest {

  @ParameterizedTest
  @CsvSource({
    "1MiB, 1048576",
    "64KiB, 65536",
    "1 mib, 1048576",
    "1.5MB, 1500000",
    "7B, 7",
    "1GiB, 1073741824",
    "99999999999999999999GB, 9223372036854775807"
  })
  void parseOrOff_aSize_isBytes(String text, long bytes) {
    assertEquals(OptionalLong.of(bytes), HumanBytes.parseOrOff("writeback", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", " OFF "})
  void parseOrOff_off_isNoSize(String text) {
    assertEquals(OptionalLong.empty(), HumanBytes.parseOrOff("writeback", text));
  }

  /** A size of nothing is not taken for off. */
  @ParameterizedTest
  @ValueSource(strings = {"", "1", "MiB", "-1MiB", "1MiB/s", "1TB", "0B", "0MiB", "0.4B"})
  void parseOrOff_noSize_isRefused(String text) {
    assertEquals(
        "writeback must be a size such as 1MiB or 512KiB, or off: " + text,
        assertThrows(IllegalArgumentException.class, () -> HumanBytes.parseOrOff("writeback", text))
            .getMessage());
  }
}
