package io.weir.stress.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSettingsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "writeback|1MiB|writeback is not for an engine, because an engine decides on that itself:"
            + " writeback=1MiB",
        "mode|soft-update|mode is not for an engine, because an engine decides how it deletes;"
            + " say mode=update: mode=soft-update",
        "cache|warm|cache is not for an engine, because a server reads more than its index when it"
            + " starts: cache=warm"
      })
  void check_whatAnEngineDoesNotDo_isRefusedByName(String key, String value, String message) {
    ArmSettings arm = ArmSettings.of(Map.of(key, value));

    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> EngineSettings.check(arm)).getMessage());
  }

  @Test
  void checkTarget_whatNeedsAServerOfOnesOwn_isRefused() {
    ArmSettings arm = ArmSettings.DEFAULT.with(ArmSetting.JVM_ARGS, List.of("-Xmx2g"));

    assertEquals(
        "jvm-args is not for an engine, because the cluster of --target runs already:"
            + " jvm-args=-Xmx2g",
        assertThrows(IllegalArgumentException.class, () -> EngineSettings.checkTarget(arm))
            .getMessage());
  }

  @Test
  void readingUnlessAsked_onlyWhatWasSetChangesAnything() {
    ArmSettings asked =
        ArmSettings.DEFAULT.with(ArmSetting.REOPENS_PER_SECOND, LoadRate.steady(2.0));

    ArmSettings reading = EngineSettings.readingUnlessAsked(asked);

    assertEquals(LoadRate.steady(2), reading.get(ArmSetting.REOPENS_PER_SECOND));
    assertEquals(LoadRate.NONE, reading.get(ArmSetting.UPDATES_PER_SECOND));
    assertEquals(LoadRate.NONE, reading.get(ArmSetting.COMMITS_PER_MINUTE));
    assertEquals(MergeWorkload.NONE, reading.get(ArmSetting.MERGE));
    assertEquals(LoadRate.steady(20), reading.get(ArmSetting.SEARCHES_PER_SECOND));
  }

  @Test
  void describe_isWhatIsAskedOfTheEngineAlone() {
    ArmSettings arm = ArmSettings.DEFAULT.with(ArmSetting.BEFORE, Duration.ofSeconds(3));
    Map<String, String> own = EngineSettings.describe(arm, false);

    assertEquals("weir", own.get("preset"));
    assertEquals("3s", own.get("before"));
    assertEquals(null, own.get("writeback"));
    assertEquals(null, EngineSettings.describe(arm, true).get("preset"));
  }
}
