package io.weir.engine;

import io.weir.figure.SourceFigures;
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
        directory, ResidentDirectory.class, ResidentDirectory::snapshot, ResidentSnapshot.FIGURES);
  }

  public static Map<String, Object> writeback(Directory directory) {
    return find(
        directory,
        WritebackDirectory.class,
        WritebackDirectory::snapshot,
        WritebackSnapshot.FIGURES);
  }

  public static Map<String, Object> unmapping(Directory directory) {
    return find(
        directory,
        DeferredUnmapDirectory.class,
        DeferredUnmapDirectory::snapshot,
        UnmapSnapshot.FIGURES);
  }

  private static <L extends Directory, S> Map<String, Object> find(
      Directory directory, Class<L> type, Function<L, S> source, SourceFigures<S> figures) {
    return DirectoryPlan.find(directory, type)
        .map(layer -> Figures.of(figures, source.apply(layer)))
        .orElse(null);
  }
}
