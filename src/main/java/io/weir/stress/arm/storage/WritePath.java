package io.weir.stress.arm.storage;

import io.weir.control.ReadersFirst;
import io.weir.control.ThreadReadMeter;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.store.DirectoryPlan;
import io.weir.store.FlushedFilesOptions;
import io.weir.store.MergePageCache;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentSnapshot;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackOptions;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.arm.meters.MergeCounters;
import io.weir.stress.arm.meters.MergeMeter;
import io.weir.stress.arm.meters.MergeWindow;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CommitSync;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Unmapping;
import io.weir.time.NanoClock;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;

/**
 * What stands between an arm's writer and its disk: Weir's budget, directory and scheduler, unless
 * {@code preset=stock}; writeback and resident ids if the arm asks for them; and the meter, below
 * all of them in every arm.
 *
 * <p><b>Threads:</b> any, once {@link #directory} has been called.
 */
public final class WritePath {

  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;

  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
  private final Optional<MergeCounters.Throttle> throttle;
  private final ConcurrentMergeScheduler scheduler;
  private final Optional<ResidentKeys> keys;
  private final Codec codec;
  private final DirectoryPlan plan;

  // Empty while the directory is not open, and where the arm has none.
  private Optional<ResidentDirectory> resident = Optional.empty();
  private Optional<WritebackDirectory> writeback = Optional.empty();

  private final boolean limitsCores;

  /** The path that {@code settings} ask for. */
  public WritePath(ArmSettings settings) {
    throttle =
        settings.get(ArmSetting.PRESET) == Preset.STOCK
            ? Optional.empty()
            : Optional.of(throttle(settings));
    scheduler =
        throttle
            .<ConcurrentMergeScheduler>map(MergeCounters.Throttle::scheduler)
            .orElseGet(ConcurrentMergeScheduler::new);
    Rate luceneCap = settings.get(ArmSetting.LUCENE_FORCE_MERGE_CAP);
    if (luceneCap.isLimited()) {
      scheduler.setForceMergeMBPerSec(luceneCap.bytesPerSecond() / BYTES_PER_LUCENE_MEGABYTE);
    }
    keys = keys(settings.get(ArmSetting.ID_POSTINGS));
    codec =
        IndexSchema.codec(settings.get(ArmSetting.CODEC), settings.get(ArmSetting.VECTOR_FORMAT));
    plan = plan(settings);
    limitsCores = settings.get(ArmSetting.MERGE_CPU).isPresent();
  }

  private static MergeCounters.Throttle throttle(ArmSettings settings) {
    ByteBudget budget =
        new ByteBudget(
            BudgetOptions.of(settings.get(ArmSetting.CAP))
                .counting(Counting.ofReads(settings.get(ArmSetting.COUNT_READS))));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setReadMeter(new ThreadReadMeter());
    CapWatch trouble = new CapWatch();
    scheduler.addListener(trouble);
    if (settings.get(ArmSetting.READERS_FIRST)) {
      scheduler.setYield(new ReadersFirst());
    }
    scheduler.setIdleClass(settings.get(ArmSetting.IDLE_CLASS));
    scheduler.setProcessorShare(ProcessorShare.of(settings.get(ArmSetting.MERGE_CPU)));
    return new MergeCounters.Throttle(budget, scheduler, trouble);
  }

  private DirectoryPlan plan(ArmSettings settings) {
    DirectoryPlan layers = DirectoryPlan.empty().withInstrument(meter::directory);
    OptionalLong smallFileBytes = settings.get(ArmSetting.SMALL_FILES);
    if (smallFileBytes.isPresent()) {
      layers =
          layers.withSmallFiles(
              SmallFilesOptions.DEFAULT.withMaxFileBytes(smallFileBytes.getAsLong()));
    }
    if (settings.get(ArmSetting.UNMAP) == Unmapping.DEFERRED) {
      layers = layers.withDeferredUnmap();
    }
    MergePageCache pageCache = settings.get(ArmSetting.MERGE_PAGE_CACHE);
    if (settings.get(ArmSetting.READERS_FIRST)
        || settings.get(ArmSetting.COUNT_READS)
        || pageCache == MergePageCache.NEUTRAL) {
      layers = layers.withMergeReads(pageCache);
    }
    OptionalLong rangeBytes = settings.get(ArmSetting.WRITEBACK);
    if (rangeBytes.isPresent()) {
      layers =
          layers.withWriteback(WritebackOptions.DEFAULT.withRangeBytes(rangeBytes.getAsLong()));
    }
    OptionalLong flushedFileBytes = settings.get(ArmSetting.FLUSHED_FILES);
    if (flushedFileBytes.isPresent()) {
      layers = layers.withFlushedFiles(flushedFiles(flushedFileBytes.getAsLong()));
    }
    if (settings.get(ArmSetting.COMMIT_SYNC) == CommitSync.DEFERRED) {
      layers = layers.withDeferredSync();
    }
    if (throttle.isPresent()) {
      layers = layers.withBudget(throttle.get().budget());
    }
    if (keys.isPresent()) {
      layers = layers.withKeys(keys.get());
    }
    return settings.get(ArmSetting.WARMER) ? layers.withPrefetch() : layers;
  }

  private static FlushedFilesOptions flushedFiles(long maxFileBytes) {
    FlushedFilesOptions options = FlushedFilesOptions.DEFAULT; // 16 MiB at most, of 32
    return options
        .withMaxHeldBytes(Math.max(options.maxHeldBytes(), maxFileBytes))
        .withMaxFileBytes(maxFileBytes);
  }

  private static Optional<ResidentKeys> keys(IdPostings idPostings) {
    return switch (idPostings) {
      case DEFAULT -> Optional.empty();
      case RESIDENT -> Optional.of(IndexSchema.residentKeys());
    };
  }

  /** {@code in}, whose merges pay for their graphs while they build them if there is a limit. */
  MergePolicy policy(MergePolicy in) {
    return throttle.filter(ours -> limitsCores).map(ours -> ours.scheduler().asking(in)).orElse(in);
  }

  /** All that counts its merges. */
  public MergeCounters counters() {
    return new MergeCounters(meter, throttle);
  }

  /** What measures the large merge; once the directory has been opened. */
  public MergeWindow mergeWindow(NanoClock clock) {
    return new MergeWindow(counters(), writeback, clock);
  }

  /** What the writer writes to; closing it closes {@code files}. Called once. */
  public Directory directory(Directory files) {
    Directory directory = plan.over(files);
    writeback = DirectoryPlan.find(directory, WritebackDirectory.class);
    resident = DirectoryPlan.find(directory, ResidentDirectory.class);
    return directory;
  }

  /** What the writer writes segments with. */
  public Codec codec() {
    return keys.map(held -> held.codec(codec)).orElse(codec);
  }

  /** The one writer's scheduler. */
  public ConcurrentMergeScheduler scheduler() {
    return scheduler;
  }

  /** The dictionaries of ids that are held in memory; nothing where the arm holds none. */
  public Values residentKeys() {
    return resident.map(WritePath::values).orElse(Values.NONE);
  }

  private static Values values(ResidentDirectory resident) {
    ResidentSnapshot held = resident.snapshot();
    return Values.builder()
        .put(ArmFigures.RESIDENT_BYTES, held.bytes())
        .put(ArmFigures.RESIDENT_PEAK, held.peakBytes())
        .put(ArmFigures.RESIDENT_BOUND, held.maxBytes())
        .put(ArmFigures.RESIDENT_SEGMENTS, (long) held.bytesBySegment().size())
        .put(ArmFigures.RESIDENT_LOADED, held.loadedFiles())
        .put(ArmFigures.RESIDENT_OVER_BOUND, held.waitingFiles())
        .put(ArmFigures.RESIDENT_FAULTS, held.faults())
        .build();
  }
}
