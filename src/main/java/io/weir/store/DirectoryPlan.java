package io.weir.store;

import io.weir.rate.ByteBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.NRTCachingDirectory;

/**
 * The layers that Weir puts above the files of an index, with their order and options. Only this
 * class builds, checks and reports the stack.
 *
 * <pre>{@code
 * Directory directory =
 *     DirectoryPlan.recommended(budget).withKeys(ResidentKeys.of("id")).over(FSDirectory.open(path));
 * DirectoryPlan.report(directory).forEach(System.out::println);
 * }</pre>
 *
 * <p>The order of {@link Layer} is the order of the stack, and matters for correctness: each layer
 * states the reason for its position.
 *
 * <p><b>Threads:</b> any; a plan is immutable. <b>Ownership:</b> closing the directory that {@link
 * #over} returns closes all layers and the files below.
 */
public final class DirectoryPlan {

  /** A layer, from the files upwards. */
  public enum Layer {
    /** {@link SmallFilesDirectory}: lowest, because it reads files by their path. */
    SMALL_FILES,
    /** {@link DeferredUnmapDirectory}: right above the directory that maps files. */
    DEFERRED_UNMAP,
    /** {@link MergeReadsDirectory}: above what opens files, so that it sees all of them. */
    MERGE_READS,
    /** The caller's own: sees each byte as it is written to the files. */
    INSTRUMENT,
    /** {@link WritebackDirectory}: below the cap, so that it sees granted pieces. */
    WRITEBACK,
    /** {@link FlushedFilesDirectory}: above the layers that use the disk, which held files skip. */
    FLUSHED_FILES,
    /** {@link DeferredSyncDirectory}: above what writes files in a sync, to sync after it. */
    DEFERRED_SYNC,
    /** {@link RateLimitedDirectory}: above all layers that write, so that every byte is charged. */
    RATE_LIMIT,
    /** {@link ResidentDirectory}: above the cap, because it writes nothing. Only with keys. */
    RESIDENT_KEYS,
    /** {@link PrefetchDirectory}: on top, because it opens files as Lucene will. */
    PREFETCH
  }

  /**
   * A layer of a directory, as built.
   *
   * @param active whether the layer does anything here
   * @param reason why it is active or inactive; may be empty
   */
  public record LayerReport(Layer layer, boolean active, String reason) {

    @Override
    public String toString() {
      return layer + (active ? ": on" : ": off") + (reason.isEmpty() ? "" : ", " + reason);
    }
  }

  private final Map<Layer, UnaryOperator<Directory>> layers; // in the order of the enum

  private DirectoryPlan(Map<Layer, UnaryOperator<Directory>> layers) {
    this.layers = layers;
  }

  /** A plan without layers. */
  public static DirectoryPlan empty() {
    return new DirectoryPlan(new EnumMap<>(Layer.class));
  }

  /** All layers except resident keys, for which {@link #withKeys} names the fields. */
  public static DirectoryPlan recommended(ByteBudget budget) {
    return empty()
        .withSmallFiles(SmallFilesOptions.DEFAULT)
        .withDeferredUnmap()
        .withMergeReads(MergePageCache.DEFAULT)
        .withWriteback(WritebackOptions.DEFAULT)
        .withFlushedFiles(FlushedFilesOptions.DEFAULT)
        .withDeferredSync()
        .withBudget(budget)
        .withPrefetch();
  }

  /** Adds the reading of small files. */
  public DirectoryPlan withSmallFiles(SmallFilesOptions options) {
    Objects.requireNonNull(options, "options");
    return with(Layer.SMALL_FILES, in -> new SmallFilesDirectory(in, options));
  }

  /**
   * Adds the reading of small files, above a directory of any class.
   *
   * @param path where the files are; the caller knows that the directory reads them unchanged
   */
  public DirectoryPlan withSmallFiles(SmallFilesOptions options, Path path) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(path, "path");
    return with(Layer.SMALL_FILES, in -> new SmallFilesDirectory(in, options, path));
  }

  /** Adds the unmapping of files on a separate thread. */
  public DirectoryPlan withDeferredUnmap() {
    return with(Layer.DEFERRED_UNMAP, DeferredUnmapDirectory::new);
  }

  /**
   * Adds reads of merges beside the mappings of searches, which can be held up.
   *
   * @param pageCache what they leave in the page cache
   */
  public DirectoryPlan withMergeReads(MergePageCache pageCache) {
    Objects.requireNonNull(pageCache, "pageCache");
    return with(Layer.MERGE_READS, in -> new MergeReadsDirectory(in, pageCache));
  }

  /** Adds a directory of the caller's, created from the one below it. */
  public DirectoryPlan withInstrument(UnaryOperator<Directory> instrument) {
    return with(Layer.INSTRUMENT, Objects.requireNonNull(instrument, "instrument"));
  }

  /** Adds the smoothing of merge output. */
  public DirectoryPlan withWriteback(WritebackOptions options) {
    Objects.requireNonNull(options, "options");
    return with(Layer.WRITEBACK, in -> new WritebackDirectory(in, options));
  }

  /** Adds the holding of flushed files until a commit. */
  public DirectoryPlan withFlushedFiles(FlushedFilesOptions options) {
    Objects.requireNonNull(options, "options");
    return with(Layer.FLUSHED_FILES, in -> new FlushedFilesDirectory(in, options));
  }

  /** Adds the deferral of syncs that commits would do under the writer's lock. */
  public DirectoryPlan withDeferredSync() {
    return with(Layer.DEFERRED_SYNC, DeferredSyncDirectory::new);
  }

  /** Adds the charging of merge output to {@code budget}. */
  public DirectoryPlan withBudget(ByteBudget budget) {
    Objects.requireNonNull(budget, "budget");
    return with(Layer.RATE_LIMIT, in -> new RateLimitedDirectory(in, budget));
  }

  /** Adds the dictionaries of these keys in memory. */
  public DirectoryPlan withKeys(ResidentKeys keys) {
    Objects.requireNonNull(keys, "keys");
    return with(Layer.RESIDENT_KEYS, in -> new ResidentDirectory(in, keys));
  }

  /** Adds the fetching of merged segments before Lucene opens them. */
  public DirectoryPlan withPrefetch() {
    return with(Layer.PREFETCH, PrefetchDirectory::new);
  }

  /** Removes a layer, if present. */
  public DirectoryPlan without(Layer layer) {
    Objects.requireNonNull(layer, "layer");
    Map<Layer, UnaryOperator<Directory>> rest = new EnumMap<>(layers);
    rest.remove(layer);
    return new DirectoryPlan(rest);
  }

  private DirectoryPlan with(Layer layer, UnaryOperator<Directory> maker) {
    Map<Layer, UnaryOperator<Directory>> more = new EnumMap<>(layers);
    more.put(layer, maker);
    return new DirectoryPlan(more);
  }

  /** The layers, from the files upwards. */
  public List<Layer> layers() {
    return List.copyOf(layers.keySet());
  }

  /**
   * Puts the layers above {@code files}.
   *
   * @throws IllegalArgumentException if {@code files} has a layer of Weir already, or an {@code
   *     NRTCachingDirectory}, which hides merges from the layers above it
   */
  public Directory over(Directory files) {
    check(files);
    Directory directory = files;
    for (UnaryOperator<Directory> layer : layers.values()) {
      directory = layer.apply(directory);
    }
    return directory;
  }

  private static void check(Directory files) {
    Objects.requireNonNull(files, "files");
    for (Directory at = files; at instanceof FilterDirectory filter; at = filter.getDelegate()) {
      if (at instanceof ForwardingDirectory) {
        throw new IllegalArgumentException(
            "files must have no component of Weir, or it would act twice: " + files);
      }
      if (at instanceof NRTCachingDirectory) {
        throw new IllegalArgumentException(
            "an NRTCachingDirectory belongs above Weir's directory, not below: " + files);
      }
    }
  }

  /**
   * The layers of a directory, from the files upwards; empty if there are none. The search ends at
   * the first directory that is not a {@link FilterDirectory}.
   */
  public static List<LayerReport> report(Directory directory) {
    Objects.requireNonNull(directory, "directory");
    List<LayerReport> found = new ArrayList<>();
    for (Directory at = directory;
        at instanceof FilterDirectory filter;
        at = filter.getDelegate()) {
      reportOne(at).ifPresent(found::add);
    }
    return List.copyOf(found.reversed());
  }

  /** The layer of one type in a directory, if present. */
  public static <L extends Directory> Optional<L> find(Directory directory, Class<L> type) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(type, "type");
    for (Directory at = directory;
        at instanceof FilterDirectory filter;
        at = filter.getDelegate()) {
      if (type.isInstance(at)) {
        return Optional.of(type.cast(at));
      }
    }
    return Optional.empty();
  }

  private static Optional<LayerReport> reportOne(Directory directory) {
    return Optional.ofNullable(
        switch (directory) {
          case SmallFilesDirectory small ->
              new LayerReport(Layer.SMALL_FILES, small.isActive(), small.reason());
          case DeferredUnmapDirectory unmap -> new LayerReport(Layer.DEFERRED_UNMAP, true, "");
          case MergeReadsDirectory reads ->
              new LayerReport(Layer.MERGE_READS, true, reads.reason());
          case WritebackDirectory writeback ->
              new LayerReport(
                  Layer.WRITEBACK,
                  writeback.method() != WritebackMethod.NONE,
                  writeback.method() + ": " + writeback.methodReason());
          case FlushedFilesDirectory flushed ->
              new LayerReport(
                  Layer.FLUSHED_FILES,
                  !flushed.options().isOff(),
                  flushed.options().isOff() ? "switched off" : "");
          case DeferredSyncDirectory sync -> new LayerReport(Layer.DEFERRED_SYNC, true, "");
          case RateLimitedDirectory limited ->
              new LayerReport(Layer.RATE_LIMIT, true, limited.budget().name());
          case ResidentDirectory resident ->
              new LayerReport(Layer.RESIDENT_KEYS, true, "fields " + resident.keys().fields());
          case PrefetchDirectory prefetch -> new LayerReport(Layer.PREFETCH, true, "");
          default -> null;
        });
  }
}
