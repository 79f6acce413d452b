package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineTargetTest {

  @ParameterizedTest
  @CsvSource({"0, 1", "9.9, 1", "10, 10", "50, 10", "50.1, 11", "500, 100"})
  void updatesAtOnce_ofEachRate_isTen_orAFifthOfASecond(double perSecond, int updates) {
    assertEquals(updates, EngineTarget.updatesAtOnce(perSecond));
  }
}
