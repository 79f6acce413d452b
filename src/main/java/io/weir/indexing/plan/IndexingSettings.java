package io.weir.indexing.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.UpdateMode;

/**
 * What an arm has by default, and cannot have, where documents are indexed as fast as they can be.
 * Which settings it has at all is in their table, for {@link io.weir.stress.setting.ArmKind#INDEX}.
 */
public final class IndexingSettings {

  /** What an arm does that says nothing: it adds documents. */
  public static final ArmSettings DEFAULT =
      ArmSettings.DEFAULT.with(ArmSetting.MODE, UpdateMode.ADD);

  private IndexingSettings() {}

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
