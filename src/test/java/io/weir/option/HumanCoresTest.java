package io.weir.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HumanCoresTest {

  @Test
  void parse_ofANumberOrTheWordForNone_isThat() {
    assertEquals(OptionalDouble.of(1.5), HumanCores.parse("cpu", " 1.5 ", "off"));
    assertEquals(OptionalDouble.of(0.01), HumanCores.parse("cpu", "0.01", "off"));
    assertEquals(OptionalDouble.empty(), HumanCores.parse("cpu", "OFF", "off"));
    assertEquals(OptionalDouble.empty(), HumanCores.parse("cpu", "-1", "-1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "16385", "NaN", "two", "50%", "1,5"})
  void parse_ofAnythingElse_isRefusedByName(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> HumanCores.parse("cpu", text, "off"));
    assertEquals(
        "cpu must be a number of cores from 0.01 to 16384, such as 1.5, or off: " + text,
        e.getMessage());
  }
}
