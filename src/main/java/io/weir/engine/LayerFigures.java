package io.weir.engine;

import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentSnapshot;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;

/** The figures of the layers below a shard; null for a layer that its directory does not have. */
public final class LayerFigures {

  private LayerFigures() {}

  /** Each layer from the files upwards, with the reason why it is active or not. */
  public static List<Map<String, Object>> all(Directory directory) {
    return DirectoryPlan.report(directory).stream()
        .map(
            layer ->
                Figures.of(
                    "layer", Figures.name(layer.layer()),
                    "active", layer.active(),
                    "reason", layer.reason().isEmpty() ? null : layer.reason()))
        .toList();
  }

  public static Map<String, Object> residentKeys(Directory directory) {
    return find(
        directory,
        ResidentDirectory.class,
        layer -> {
          ResidentSnapshot keys = layer.snapshot();
          return Figures.of(
              "bytes", keys.bytes(),
              "files", keys.files(),
              "waiting_files", keys.waitingFiles(),
              "loaded_files", keys.loadedFiles(),
              "reclaimed_files", keys.reclaimedFiles(),
              "faults", keys.faults(),
              "attempts", keys.attempts(),
              "read_bytes", keys.readBytes(),
              "wasted_bytes", keys.wastedBytes());
        });
  }

  public static Map<String, Object> writeback(Directory directory) {
    return find(
        directory,
        WritebackDirectory.class,
        layer -> {
          WritebackSnapshot writeback = layer.snapshot();
          return Figures.of(
              "started_bytes", writeback.startedBytes(),
              "wait_millis", Figures.millis(writeback.waitNanos()),
              "faults", writeback.faults(),
              "lost_writes", writeback.lostWrites());
        });
  }

  public static Map<String, Object> unmapping(Directory directory) {
    return find(
        directory,
        DeferredUnmapDirectory.class,
        layer -> {
          UnmapSnapshot unmapping = layer.snapshot();
          return Figures.of(
              "pending_files", unmapping.pendingFiles(),
              "deferred_files", unmapping.deferredFiles(),
              "inline_files", unmapping.inlineFiles(),
              "failures", unmapping.failures());
        });
  }

  private static <L extends Directory> Map<String, Object> find(
      Directory directory, Class<L> type, Function<L, Map<String, Object>> figures) {
    return DirectoryPlan.find(directory, type).map(figures).orElse(null);
  }
}
