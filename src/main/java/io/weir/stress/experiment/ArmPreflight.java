package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.procfs.Cgroup;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Procfs;
import io.weir.store.KernelPageCache;
import io.weir.stress.arm.storage.HeapIndex;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.DirectoryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Whether this machine can do what the arms ask of its memory: a state of the page cache, a heap
 * that holds the index.
 *
 * <p>Of an index that is not there yet the size is not known; so this is asked again when it is.
 *
 * <p><b>Failure:</b> {@link StressException} of kind usage, one line each.
 */
final class ArmPreflight {

  private final SourceIndexes indexes;
  private final Procfs procfs;

  private ArmPreflight(SourceIndexes indexes, Procfs procfs) {
    this.indexes = indexes;
    this.procfs = procfs;
  }

  /** Refuses arms that are known not to run as requested. */
  static void require(StressPlan plan, SourceIndexes indexes, Procfs procfs)
      throws StressException, IOException {
    ArmPreflight preflight = new ArmPreflight(indexes, procfs);
    for (Arm arm : plan.arms()) {
      preflight.require(arm);
    }
  }

  private void require(Arm arm) throws StressException, IOException {
    ArmSettings settings = arm.settings();
    Path index = indexes.path(IndexLayout.of(settings));
    if (settings.get(ArmSetting.CACHE) == CacheState.COLD) {
      requireDroppable(arm, Preflight.nearestExisting(index));
    }
    if (!indexes.isThere(IndexLayout.of(settings))) {
      return;
    }
    long indexBytes = Preflight.sizeOf(index);
    if (settings.get(ArmSetting.CACHE) == CacheState.WARM) {
      requireMemory(arm, indexBytes);
    }
    if (settings.get(ArmSetting.DIRECTORY) == DirectoryKind.HEAP) {
      requireHeap(arm, indexBytes);
    }
  }

  private static void requireDroppable(Arm arm, Path place) throws StressException {
    Optional<String> kernel =
        arm.settings().get(ArmSetting.JVM).isEmpty()
            ? KernelPageCache.unavailable()
            : Optional.empty(); // not its JVM
    Optional<String> reason = kernel.or(() -> KernelPageCache.obstacle(place));
    if (reason.isPresent()) {
      throw usage(
          arm,
          "cache=cold needs pages that can be dropped, and %s (index in %s)"
              .formatted(reason.get(), place));
    }
  }

  private void requireMemory(Arm arm, long indexBytes) throws StressException {
    OptionalLong none = OptionalLong.empty();
    OptionalLong memoryBytes =
        LongStream.concat(
                procfs.memInfo().map(MemInfo::memTotalBytes).orElse(none).stream(),
                procfs.cgroup().map(Cgroup::memoryLimitBytes).orElse(none).stream())
            .min();
    if (memoryBytes.isPresent() && memoryBytes.getAsLong() < indexBytes) {
      throw usage(
          arm,
          String.format(
              Locale.ROOT,
              "cache=warm needs memory for an index of %.1f MB, there are %.1f MB for everything",
              indexBytes / 1e6,
              memoryBytes.getAsLong() / 1e6));
    }
  }

  private static void requireHeap(Arm arm, long indexBytes) throws StressException {
    ArmSettings settings = arm.settings();
    OptionalLong heapBytes =
        JvmCommand.maxHeapBytes(JvmCommand.withHeap(settings.get(ArmSetting.JVM_ARGS)));
    if (heapBytes.isPresent()
        && heapBytes.getAsLong()
            < HeapIndex.neededHeapBytes(indexBytes, settings.get(ArmSetting.MERGE))) {
      throw usage(
          arm,
          HeapIndex.refusal(indexBytes, settings.get(ArmSetting.MERGE), heapBytes.getAsLong()));
    }
  }

  private static StressException usage(Arm arm, String message) {
    return new StressException(Kind.USAGE, "arm %s: %s".formatted(arm.name(), message));
  }
}
