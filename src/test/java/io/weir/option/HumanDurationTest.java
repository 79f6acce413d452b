package io.weir.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HumanDurationTest {

  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "500ms, PT0.5S",
    "10s, PT10S",
    "10 s, PT10S",
    "1.5m, PT90S",
    "2h, PT2H",
    "0.25s, PT0.25S",
    "999999999h, PT999999999H"
  })
  void parse_aDuration_isExact(String text, Duration expected) {
    assertEquals(expected, HumanDuration.parse("warmup", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "s", "-5s", "10S", "10sec", "1e3s", "1.s", ".5s", "1:30", "1m30s"})
  void parse_noDuration_isRefused(String text) {
    assertEquals(
        "warmup must be a duration such as 10s, 500ms or 2m: " + text,
        assertThrows(IllegalArgumentException.class, () -> HumanDuration.parse("warmup", text))
            .getMessage());
  }
}
