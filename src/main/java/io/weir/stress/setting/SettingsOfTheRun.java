package io.weir.stress.setting;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The settings of arms that are options of the command as well, as a part of a run's workload. */
public final class SettingsOfTheRun {

  private SettingsOfTheRun() {}

  /**
   * Each that an arm has, by its key.
   *
   * @param arms the texts of each arm's settings, by their keys
   * @return where arms differ, all their texts in alphabetical order
   */
  public static Map<String, String> of(Collection<Map<String, String>> arms) {
    Map<String, String> texts = new TreeMap<>();
    for (Setting<?> setting : ArmSetting.all()) {
      String key = setting.key();
      if (setting.isOfTheRun() && arms.stream().anyMatch(arm -> arm.containsKey(key))) {
        texts.put(
            key,
            arms.stream()
                .filter(arm -> arm.containsKey(key))
                .map(arm -> arm.get(key))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", ")));
      }
    }
    return texts;
  }
}
