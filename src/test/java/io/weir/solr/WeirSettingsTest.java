package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeCap;
import io.weir.engine.NodeCap.Schedule;
import io.weir.engine.SlowRefreshes;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System properties become the settings of a node, or are refused by name. */
class WeirSettingsTest {

  @Test
  void read_ofNothing_isTheDefaults() {
    assertEquals(
        new WeirSettings(
            Rate.UNLIMITED,
            Schedule.NONE,
            ZoneId.systemDefault(),
            false,
            false,
            OptionalDouble.empty(),
            Duration.ofMillis(500),
            -1,
            "127.0.0.1"),
        WeirSettings.read(name -> null));
    assertEquals(WeirSettings.read(name -> null), WeirSettings.read(name -> " "));
  }

  @Test
  void read_ofAllSettings_hasThem() {
    Map<String, String> properties =
        Map.of(
            WeirSettings.CAP, " 40mb",
            NodeCap.SCHEDULE, "9:00-17:00+10mb",
            NodeCap.TIME_ZONE, "Europe/Berlin",
            WeirSettings.COUNT_READS, "true",
            EngineNode.IDLE_CLASS, "true",
            EngineNode.CPU, "1.5",
            SlowRefreshes.THRESHOLD, "2s",
            WeirSettings.METRICS_PORT, "9400",
            WeirSettings.METRICS_HOST, "0.0.0.0");
    assertEquals(
        new WeirSettings(
            Rate.perSecond(40 << 20),
            new Schedule(
                "9:00-17:00 10mb",
                List.of(
                    new Window(
                        EnumSet.allOf(DayOfWeek.class),
                        LocalTime.of(9, 0),
                        LocalTime.of(17, 0),
                        Rate.perSecond(10 << 20)))),
            ZoneId.of("Europe/Berlin"),
            true,
            true,
            OptionalDouble.of(1.5),
            Duration.ofSeconds(2),
            9400,
            "0.0.0.0"),
        WeirSettings.read(properties::get));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "7b,7", "3kb,3072", "40MB,41943040", "16gb,17179869184"})
  void cap_ofANumberOfBytes_isThatRate(String text, long bytes) {
    assertEquals(Rate.perSecond(bytes), WeirSettings.cap("name", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17gb", "99999999999999gb", "fast", "-2", "4 mb", "1.5mb", ""})
  void cap_ofAnythingElse_isRefusedByName(String text) {
    assertRefused("name must be", () -> WeirSettings.cap("name", text));
  }

  @Test
  void read_ofAWrongValue_namesTheProperty() {
    for (String name :
        new String[] {
          WeirSettings.CAP,
          NodeCap.SCHEDULE,
          NodeCap.TIME_ZONE,
          WeirSettings.COUNT_READS,
          EngineNode.IDLE_CLASS,
          EngineNode.CPU,
          SlowRefreshes.THRESHOLD,
          WeirSettings.METRICS_PORT
        }) {
      assertRefused(
          name + " must be",
          () -> WeirSettings.read(property -> property.equals(name) ? "wrong" : null));
    }
    for (String threshold : new String[] {"0ms", "61m"}) {
      assertRefused(
          SlowRefreshes.THRESHOLD + " must be from 1ms to 1h, or -1 for none: ",
          () ->
              WeirSettings.read(
                  property -> property.equals(SlowRefreshes.THRESHOLD) ? threshold : null));
    }
    assertRefused(
        WeirSettings.METRICS_PORT,
        () ->
            WeirSettings.read(
                property -> property.equals(WeirSettings.METRICS_PORT) ? "70000" : null));
  }

  private static void assertRefused(String message, Executable reading) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, reading);
    assertTrue(refused.getMessage().contains(message), refused::getMessage);
  }
}
