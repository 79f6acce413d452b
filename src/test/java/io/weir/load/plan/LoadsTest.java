package io.weir.load.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadsTest {

  @Test
  void parse_eachForm_isUnderstood() {
    assertEquals(new Loads.Auto(OptionalDouble.empty()), Loads.parse("auto"));
    assertEquals(new Loads.Auto(OptionalDouble.of(200)), Loads.parse("auto:200"));
    assertEquals(new Loads.Listed(List.of(0.5, 50.0, 100.0)), Loads.parse("100, 50,0.5"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "auto:", "auto:x", "much", "10,10", "0", "-1", "10,", "1e3", "100001", "NaN"})
  void parse_anythingElse_isRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Loads.parse(text));
  }
}
