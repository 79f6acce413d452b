package io.weir.stress.setting;

import io.weir.lucene.DocValuesOverlays;
import io.weir.store.MergePageCache;
import java.util.function.Predicate;
import org.apache.lucene.util.Version;

/** What the settings of an arm require of each other; each rule with why. */
enum ArmRule {
  /** Lucene alone has no budget. */
  CAP_NEEDS_WEIR(
      arm -> arm.isSet(ArmSetting.CAP) && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.CAP,
      "preset=weir",
      "preset=stock has nothing that could cap"),
  /** Likewise. */
  COUNT_READS_NEEDS_WEIR(
      arm -> arm.get(ArmSetting.COUNT_READS) && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.COUNT_READS,
      "preset=weir",
      "preset=stock has nothing that could count"),
  /** Likewise. */
  HOLD_NEEDS_WEIR(
      arm -> arm.get(ArmSetting.HOLD).isPresent() && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.HOLD,
      "preset=weir",
      "preset=stock has no rate to set"),
  /** The goal would see nothing, and let merges run. */
  HOLD_OF_SEARCHES_NEEDS_SEARCHES(
      arm ->
          arm.get(ArmSetting.HOLD).filter(held -> held.latency().equals("search")).isPresent()
              && !arm.get(ArmSetting.SEARCHES_PER_SECOND).isAny(),
      ArmSetting.HOLD,
      "searches-per-second",
      "without searches there is no latency to hold"),
  /** Lucene has no rate that could follow a plan. */
  DEADLINE_NEEDS_WEIR(
      arm -> arm.get(ArmSetting.DEADLINE).isPresent() && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.DEADLINE,
      "preset=weir",
      "preset=stock has no rate to set"),
  /** The plan is that of a forced merge. */
  DEADLINE_NEEDS_A_FORCED_MERGE(
      arm ->
          arm.get(ArmSetting.DEADLINE).isPresent()
              && arm.get(ArmSetting.MERGE) != MergeWorkload.FORCED,
      ArmSetting.DEADLINE,
      "merge=forced",
      "other merges have no end to plan for"),
  /** Lucene's scheduler lets nothing in between. */
  READERS_FIRST_NEEDS_WEIR(
      arm -> arm.get(ArmSetting.READERS_FIRST) && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.READERS_FIRST,
      "preset=weir",
      "Lucene's merge scheduler never pauses for readers"),
  /** Lucene's scheduler does not say when a merge computes. */
  IDLE_CLASS_NEEDS_WEIR(
      arm -> arm.get(ArmSetting.IDLE_CLASS) && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.IDLE_CLASS,
      "preset=weir",
      "Lucene's merge scheduler does not say when a merge computes"),
  /** Lucene's scheduler has nothing that could wait. */
  MERGE_CPU_NEEDS_WEIR(
      arm ->
          arm.get(ArmSetting.MERGE_CPU).isPresent() && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.MERGE_CPU,
      "preset=weir",
      "Lucene's merge scheduler does not count processor time"),
  /** What acts on a disk would do nothing, and be reported as if it had. */
  WRITEBACK_NEEDS_A_DISK(
      arm -> arm.get(ArmSetting.WRITEBACK).isPresent() && isOnHeap(arm),
      ArmSetting.WRITEBACK,
      "a directory on a disk",
      "with directory=heap nothing is written to one"),
  /** Likewise. */
  READERS_FIRST_NEEDS_A_DISK(
      arm -> arm.get(ArmSetting.READERS_FIRST) && isOnHeap(arm),
      ArmSetting.READERS_FIRST,
      "a directory on a disk",
      "with directory=heap no reader waits for one"),
  /** Likewise. */
  COUNT_READS_NEEDS_A_DISK(
      arm -> arm.get(ArmSetting.COUNT_READS) && isOnHeap(arm),
      ArmSetting.COUNT_READS,
      "a directory on a disk",
      "with directory=heap nothing is read from one"),
  /** What counts would not matter, and be reported as if it had. */
  COUNT_READS_NEEDS_A_RATE(
      arm ->
          arm.get(ArmSetting.COUNT_READS)
              && !arm.get(ArmSetting.CAP).isLimited()
              && arm.get(ArmSetting.HOLD).isEmpty()
              && arm.get(ArmSetting.DEADLINE).isEmpty(),
      ArmSetting.COUNT_READS,
      "cap, hold or deadline",
      "without a rate nothing is held"),
  /** Nothing would be dropped, and be reported as if it had. */
  MERGE_PAGE_CACHE_NEEDS_WEIR(
      arm ->
          arm.get(ArmSetting.MERGE_PAGE_CACHE) != MergePageCache.KERNEL
              && arm.get(ArmSetting.PRESET) == Preset.STOCK,
      ArmSetting.MERGE_PAGE_CACHE,
      "preset=weir",
      "Lucene's merge scheduler does not say what a merge reads"),
  /** A page that is not on the disk yet cannot be dropped. */
  MERGE_PAGE_CACHE_NEEDS_WRITEBACK(
      arm ->
          arm.get(ArmSetting.MERGE_PAGE_CACHE) != MergePageCache.KERNEL
              && arm.get(ArmSetting.WRITEBACK).isEmpty(),
      ArmSetting.MERGE_PAGE_CACHE,
      "writeback",
      "a page that is not on the disk yet cannot be dropped"),
  /** The advice is a mapping's. */
  READ_ADVICE_NEEDS_A_MAPPING(
      arm -> arm.get(ArmSetting.READ_ADVICE) != MappingAdvice.DEFAULT && !ArmSetting.isMapped(arm),
      ArmSetting.READ_ADVICE,
      "directory=mmap or directory=direct",
      "no other directory maps files"),
  /** An older one has no overlays. */
  OVERLAYS_NEED_A_NEWER_LUCENE(
      arm ->
          arm.get(ArmSetting.OVERLAYS).isPresent()
              && !arm.get(ArmSetting.LUCENE)
                  .orElse(Version.LATEST)
                  .onOrAfter(DocValuesOverlays.SINCE),
      ArmSetting.OVERLAYS,
      "lucene=" + DocValuesOverlays.SINCE + " or newer",
      "older Lucene has no overlays"),
  /** An older one has another class for it. */
  VECTOR_FORMAT_NEEDS_A_NEWER_LUCENE(
      arm ->
          arm.get(ArmSetting.VECTOR_FORMAT) != VectorFormat.FLOAT
              && !arm.get(ArmSetting.LUCENE).orElse(Version.LATEST).onOrAfter(VectorFormat.SINCE),
      ArmSetting.VECTOR_FORMAT,
      "lucene=" + VectorFormat.SINCE + " or newer",
      "older Lucene quantises otherwise"),
  /** They would do nothing, and be reported as if they had. */
  OVERLAYS_NEED_SOFT_UPDATES(
      arm ->
          arm.get(ArmSetting.OVERLAYS).isPresent()
              && arm.get(ArmSetting.MODE) != UpdateMode.SOFT_UPDATE,
      ArmSetting.OVERLAYS,
      "mode=soft-update",
      "no other load updates doc values"),
  /** They are spared being mapped. */
  SMALL_FILES_NEED_MMAP(
      arm ->
          arm.get(ArmSetting.SMALL_FILES).isPresent()
              && arm.get(ArmSetting.DIRECTORY) != DirectoryKind.MMAP,
      ArmSetting.SMALL_FILES,
      "directory=mmap",
      "no other directory maps files");

  private final Predicate<ArmSettings> isBroken;
  private final Setting<?> setting;
  private final String need;
  private final String reason;

  ArmRule(Predicate<ArmSettings> isBroken, Setting<?> setting, String need, String reason) {
    this.isBroken = isBroken;
    this.setting = setting;
    this.need = need;
    this.reason = reason;
  }

  /** Refuses an arm that breaks it. */
  void check(ArmSettings arm) {
    if (isBroken.test(arm)) {
      throw new IllegalArgumentException(
          "%s needs %s, because %s: %s=%s"
              .formatted(setting, need, reason, setting, arm.text(setting).orElse("")));
    }
  }

  private static boolean isOnHeap(ArmSettings arm) {
    return arm.get(ArmSetting.DIRECTORY) == DirectoryKind.HEAP;
  }
}
