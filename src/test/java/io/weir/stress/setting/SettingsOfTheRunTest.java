package io.weir.stress.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsOfTheRunTest {

  @Test
  void of_armsThatDiffer_hasEachTextOnceAndNoSettingOfArmsAlone() {
    assertEquals(
        Map.of("merge", "forced, none", "during", "20s"),
        SettingsOfTheRun.of(
            List.of(
                Map.of("merge", "none", "during", "20s", "cap", "off"),
                Map.of("merge", "forced"),
                Map.of("merge", "none"))));
    assertEquals(Map.of(), SettingsOfTheRun.of(List.of()));
  }
}
