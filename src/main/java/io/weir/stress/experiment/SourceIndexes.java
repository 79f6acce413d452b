package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.procfs.Cgroup;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Procfs;
import io.weir.run.RunWarning;
import io.weir.store.KernelPageCache;
import io.weir.stress.arm.storage.HeapIndex;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.IndexStamp;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.DirectoryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The indexes that a run's arms start from: one for each {@link IndexLayout} that an arm asks for.
 * The first that is missing is built from the documents, any other is rewritten from one that is
 * there, so that all have the same segments.
 *
 * <p><b>Threads:</b> one.
 */
final class SourceIndexes {

  private final StressPlan plan;
  private final Map<IndexLayout, Path> paths;
  private final Set<IndexLayout> needed;
  private final Map<IndexLayout, IndexStamp> found = new LinkedHashMap<>();
  private final Set<IndexLayout> there;

  private SourceIndexes(StressPlan plan, Map<IndexLayout, Path> paths) throws StressException {
    this.plan = plan;
    this.paths = paths;
    Set<IndexLayout> asked =
        plan.arms().stream().map(arm -> IndexLayout.of(arm.settings())).collect(Collectors.toSet());
    this.needed = new LinkedHashSet<>(IndexLayout.all());
    needed.retainAll(asked);
    look(needed);
    if (found.isEmpty()) { // one that no arm needs can still be rewritten
      Set<IndexLayout> others = new LinkedHashSet<>(IndexLayout.all());
      others.removeAll(needed);
      look(others);
    }
    this.there = new LinkedHashSet<>(found.keySet());
  }

  /**
   * What the run needs and what of it is there.
   *
   * @param scratch where they are when the user named no place
   */
  static SourceIndexes find(StressPlan plan, Path scratch) throws StressException {
    Map<IndexLayout, Path> paths = new LinkedHashMap<>();
    Path base = plan.index().orElseGet(() -> scratch.resolve("index"));
    for (IndexLayout layout : IndexLayout.all()) {
      paths.put(layout, layout.place(base));
    }
    SourceIndexes indexes = new SourceIndexes(plan, paths);
    indexes.requireOneBuild();
    return indexes;
  }

  private void requireOneBuild() throws StressException {
    List<IndexLayout> layouts = List.copyOf(found.keySet());
    for (IndexLayout other : layouts) {
      IndexLayout first = layouts.getFirst();
      if (!found.get(first).isOfOneBuildWith(found.get(other))) {
        throw new StressException(
            Kind.USAGE,
            "--index must hold indexes of one build: delete %s or %s"
                .formatted(paths.get(first), paths.get(other)));
      }
    }
  }

  private void look(Set<IndexLayout> layouts) throws StressException {
    for (IndexLayout layout : layouts) {
      Preflight.requireFitting(plan, paths.get(layout), layout)
          .ifPresent(stamp -> found.put(layout, stamp));
    }
  }

  Path path(IndexLayout layout) {
    return paths.get(layout);
  }

  /** The places of those that arms start from, in the order of layouts. */
  Map<IndexLayout, Path> needed() {
    Map<IndexLayout, Path> places = new LinkedHashMap<>();
    needed.forEach(layout -> places.put(layout, paths.get(layout)));
    return Collections.unmodifiableMap(places);
  }

  /** One of them, to say where the run works. */
  Path first() {
    return paths.get(needed.iterator().next());
  }

  /** Those still to be made, in the order to make them. */
  List<IndexLayout> missing() {
    List<IndexLayout> missing = new ArrayList<>(needed);
    missing.removeAll(there);
    return missing;
  }

  /**
   * One that exists, needed or not, to rewrite others from. If there are several, it is one in
   * which Lucene's default decided about compound files.
   */
  Optional<Path> origin() {
    return IndexLayout.all().stream().filter(there::contains).map(paths::get).findFirst();
  }

  /** It has been made. */
  void made(IndexLayout layout) {
    there.add(layout);
  }

  /** How many documents those hold that were found; 0 when none was. */
  long foundDocuments() {
    return found.values().stream().mapToLong(IndexStamp::documents).findFirst().orElse(0);
  }

  /** Warns if the documents are no longer those that the indexes were built from. */
  Optional<RunWarning> changedDocuments(DocumentSource source) {
    OptionalLong now = source.textBytes();
    return found.values().stream()
        .flatMapToLong(stamp -> stamp.textBytes().stream())
        .filter(then -> now.isPresent() && now.getAsLong() != then)
        .mapToObj(
            then ->
                new RunWarning(
                    "the documents have changed since the index was built: about %.1f MB of text then, %.1f MB now"
                        .formatted(then / 1e6, now.getAsLong() / 1e6),
                    "the index is kept and used as it was built; updates are of the new documents",
                    "delete " + origin().orElseGet(this::first) + ", or choose another --index"))
        .findFirst();
  }

  /** What making them would take; of a size that is not known, nothing. */
  RunForecast forecast(DocumentSource source) throws IOException {
    Path place = origin().orElseGet(this::first);
    boolean any = origin().isPresent();
    OptionalLong indexBytes = Preflight.indexBytes(plan, source, place, any);
    OptionalLong neededBytes =
        indexBytes.isEmpty()
            ? indexBytes
            : OptionalLong.of(Preflight.neededBytes(indexBytes.getAsLong(), any, missing().size()));
    Map<Path, RunForecast.Making> making = new LinkedHashMap<>();
    for (IndexLayout layout : needed) {
      boolean missing = missing().contains(layout);
      making.put(
          paths.get(layout),
          missing
              ? any ? RunForecast.Making.REWRITTEN : RunForecast.Making.BUILT
              : RunForecast.Making.THERE);
      any = true;
    }
    return new RunForecast(plan, making, indexBytes, neededBytes, Preflight.usableBytes(place));
  }

  /** There must be room for all that is still to be made and for one large merge. */
  void requireDisk(DocumentSource source) throws StressException, IOException {
    Preflight.requireDisk(
        plan, source, origin().orElseGet(this::first), origin().isPresent(), missing().size());
  }

  /**
   * Refuses arms whose demands on memory this machine is known not to meet: a state of the page
   * cache, a heap that holds the index. Of an index that is not there yet the size is not known; so
   * this is asked again when it is.
   */
  void requireMemory(Procfs procfs) throws StressException, IOException {
    for (Arm arm : plan.arms()) {
      requireMemory(arm, procfs);
    }
  }

  private void requireMemory(Arm arm, Procfs procfs) throws StressException, IOException {
    ArmSettings settings = arm.settings();
    Path index = path(IndexLayout.of(settings));
    if (settings.get(ArmSetting.CACHE) == CacheState.COLD) {
      requireDroppable(arm, Preflight.nearestExisting(index));
    }
    if (!there.contains(IndexLayout.of(settings))) {
      return;
    }
    long indexBytes = Preflight.sizeOf(index);
    if (settings.get(ArmSetting.CACHE) == CacheState.WARM) {
      requireMemory(arm, indexBytes, procfs);
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

  private static void requireMemory(Arm arm, long indexBytes, Procfs procfs)
      throws StressException {
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
