package io.weir.indexing.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.Setting;
import io.weir.stress.setting.UpdateMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of an arm that mean something where documents are indexed as fast as they can be:
 * nothing is searched, reopened or merged by force.
 */
public final class IndexingSettings {

  /** In the order of the table of settings. */
  public static final List<Setting<?>> ALL =
      List.of(
          ArmSetting.PRESET,
          ArmSetting.CAP,
          ArmSetting.WRITEBACK,
          ArmSetting.DROP_WRITTEN,
          ArmSetting.SMALL_FILES,
          ArmSetting.FLUSHED_FILES,
          ArmSetting.UNMAP,
          ArmSetting.READERS_FIRST,
          ArmSetting.ID_POSTINGS,
          ArmSetting.COMPOUND,
          ArmSetting.CODEC,
          ArmSetting.DIRECTORY,
          ArmSetting.READ_ADVICE,
          ArmSetting.MODE,
          ArmSetting.JVM,
          ArmSetting.JVM_ARGS);

  /** What an arm does that says nothing: it adds documents. */
  public static final ArmSettings DEFAULT =
      ArmSettings.DEFAULT.with(ArmSetting.MODE, UpdateMode.ADD);

  private IndexingSettings() {}

  /** The texts of those that apply to an arm, by their keys. */
  public static Map<String, String> describe(ArmSettings arm) {
    Map<String, String> all = arm.describe();
    Map<String, String> texts = new LinkedHashMap<>();
    for (Setting<?> setting : ALL) {
      if (all.containsKey(setting.key())) {
        texts.put(setting.key(), all.get(setting.key()));
      }
    }
    return texts;
  }

  /** Refuses an arm that cannot index without end. */
  static void check(ArmSettings arm) {
    if (arm.get(ArmSetting.DIRECTORY) == DirectoryKind.HEAP) {
      throw new IllegalArgumentException(
          "directory must be mmap, nio or direct in weir index, where the index grows without end:"
              + " heap");
    }
    if (arm.get(ArmSetting.MODE) == UpdateMode.SOFT_UPDATE) {
      throw new IllegalArgumentException("mode must be add or update in weir index: soft-update");
    }
  }
}
