package io.weir.stress.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadRateTest {

  private static final Optional<Duration> HELD = Optional.of(Duration.ofSeconds(20));

  @Test
  void isAny_ofNoneAndOfOneLevelOfSeveral() {
    assertFalse(LoadRate.NONE.isAny());
    assertTrue(LoadRate.steady(0.5).isAny());
    assertTrue(new LoadRate(List.of(0.0, 3.0), HELD).isAny());
  }

  @Test
  void mean_isThatOfAllLevels() {
    assertEquals(7, LoadRate.steady(7).mean());
    assertEquals(20, new LoadRate(List.of(0.0, 5.0, 55.0), HELD).mean());
  }

  @Test
  void inWords_isAPartOfASentence() {
    assertEquals("0.25 updates a second", LoadRate.steady(0.25).inWords("updates a second"));
    assertEquals(
        "5 and 60 updates a second in turn",
        new LoadRate(List.of(5.0, 60.0), HELD).inWords("updates a second"));
    assertEquals(
        "0, 5 and 100000 updates a second in turn",
        new LoadRate(List.of(0.0, 5.0, 1e5), HELD).inWords("updates a second"));
  }

  @Test
  void of_levelsThatAreNotHeld_orOneThatIs_isRefused() {
    assertEquals(
        "held must be given with several levels, and only then: 2 levels, held Optional.empty",
        assertThrows(
                IllegalArgumentException.class,
                () -> new LoadRate(List.of(1.0, 2.0), Optional.empty()))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> new LoadRate(List.of(1.0), HELD));
    assertThrows(IllegalArgumentException.class, () -> new LoadRate(List.of(), Optional.empty()));
  }
}
