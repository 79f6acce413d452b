package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.figure.SourceFigures;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.FlushedFilesDirectory;
import io.weir.store.ForecastSnapshot;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentSnapshot;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import java.util.Objects;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The meters of one index's directories: writeback smoothing, resident keys, small files, flushed
 * files, unmapping, read-ahead of merges, forecasts of merges. Directories are found by unwrapping;
 * those that are missing have no meters.
 */
public final class DirectoryMetrics extends WeirMeterBinder {

  private final Directory directory;

  /**
   * With additional tags.
   *
   * @param directory of the writer; the search ends at the first one that is not a {@link
   *     FilterDirectory}
   * @param tags such as the name of the index
   */
  public DirectoryMetrics(Directory directory, Tags tags) {
    super(tags);
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  @Override
  Runnable register(MeterSet meters) {
    layer(
        meters, WritebackDirectory.class, WritebackDirectory::snapshot, WritebackSnapshot.FIGURES);
    layer(meters, ResidentDirectory.class, ResidentDirectory::snapshot, ResidentSnapshot.FIGURES);
    layer(
        meters,
        SmallFilesDirectory.class,
        SmallFilesDirectory::snapshot,
        SmallFilesDirectory.Snapshot.FIGURES);
    layer(
        meters,
        FlushedFilesDirectory.class,
        FlushedFilesDirectory::snapshot,
        FlushedFilesDirectory.Snapshot.FIGURES);
    layer(
        meters,
        DeferredUnmapDirectory.class,
        DeferredUnmapDirectory::snapshot,
        UnmapSnapshot.FIGURES);
    layer(meters, MergeReadsDirectory.class, reads -> reads, MergeReadsDirectory.FIGURES);
    DirectoryPlan.find(directory, WritebackDirectory.class)
        .filter(writeback -> writeback.forecastSnapshot().isPresent())
        .ifPresent(
            writeback ->
                meters.all(
                    ForecastSnapshot.FIGURES, () -> writeback.forecastSnapshot().orElseThrow()));
    return () -> {};
  }

  private <L extends Directory, S> void layer(
      MeterSet meters, Class<L> type, Function<L, S> source, SourceFigures<S> figures) {
    DirectoryPlan.find(directory, type)
        .ifPresent(layer -> meters.all(figures, () -> source.apply(layer)));
  }
}
