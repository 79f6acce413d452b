package io.weir.stress.arm.storage;

import io.weir.control.ReadersFirst;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.DirectoryPlan;
import io.weir.store.KeyResidence;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentSnapshot;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackOptions;
import io.weir.stress.arm.ArmParts;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.meters.CapTrouble;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.arm.meters.MergeMeter;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.result.ResidentKeysResult;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Unmapping;
import io.weir.time.NanoClock;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;

/**
 * What stands between an arm's writer and its disk: of ours the budget, the directory and the
 * scheduler, with {@code preset=stock} none of them; writeback and resident ids if the arm asks for
 * them; and the meter, below them in every arm.
 *
 * <p><b>Threads:</b> any, once {@link #directory} has been called.
 */
public final class WritePath {

  private static final double BYTES_PER_LUCENE_MEGABYTE = 1024 * 1024;

  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
  private final ByteBudget budget;
  private final RateLimitedMergeScheduler capped;
  private final ConcurrentMergeScheduler scheduler;
  private final CapWatch capWatch = new CapWatch();
  private final DirectoryPlan plan;
  private final ResidentKeys residentKeys; // null without
  private ResidentDirectory resident; // null while the directory is not open, and without
  private WritebackDirectory writeback; // null while the directory is not open, and without

  public WritePath(ArmSettings settings) {
    if (settings.get(ArmSetting.PRESET) == Preset.STOCK) {
      budget = null;
      capped = null;
      scheduler = new ConcurrentMergeScheduler();
    } else {
      budget = new ByteBudget(BudgetOptions.of(settings.get(ArmSetting.CAP)));
      capped = new RateLimitedMergeScheduler(budget);
      capped.addListener(capWatch);
      if (settings.get(ArmSetting.READERS_FIRST)) {
        capped.setYield(new ReadersFirst());
      }
      scheduler = capped;
    }
    residentKeys = residentKeys(settings.get(ArmSetting.ID_POSTINGS));
    plan = plan(settings);
    Rate luceneCap = settings.get(ArmSetting.LUCENE_FORCE_MERGE_CAP);
    if (luceneCap.isLimited()) {
      scheduler.setForceMergeMBPerSec(luceneCap.bytesPerSecond() / BYTES_PER_LUCENE_MEGABYTE);
    }
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
    if (settings.get(ArmSetting.READERS_FIRST)) {
      layers = layers.withMergeReads();
    }
    OptionalLong rangeBytes = settings.get(ArmSetting.WRITEBACK);
    if (rangeBytes.isPresent()) {
      layers =
          layers.withWriteback(
              WritebackOptions.DEFAULT
                  .withRangeBytes(rangeBytes.getAsLong())
                  .withDropWritten(settings.get(ArmSetting.DROP_WRITTEN)));
    }
    if (budget != null) {
      layers = layers.withBudget(budget);
    }
    if (residentKeys != null) {
      layers = layers.withKeys(residentKeys);
    }
    return settings.get(ArmSetting.WARMER) ? layers.withPrefetch() : layers;
  }

  private static ResidentKeys residentKeys(IdPostings idPostings) {
    return switch (idPostings) {
      case DEFAULT -> null;
      case RESIDENT -> IndexSchema.residentKeys();
      case PRELOADED -> IndexSchema.residentKeys().withResidence(KeyResidence.PRELOADED);
    };
  }

  public MergeMeter meter() {
    return meter;
  }

  /** Null with {@code preset=stock}. */
  public ByteBudget budget() {
    return budget;
  }

  /** What the writer writes to; closing it closes {@code files}. Called once. */
  Directory directory(Directory files) {
    Directory directory = plan.over(files);
    writeback = DirectoryPlan.find(directory, WritebackDirectory.class).orElse(null);
    resident = DirectoryPlan.find(directory, ResidentDirectory.class).orElse(null);
    return directory;
  }

  /** What smooths the writes of merges; null when nothing does. */
  public WritebackDirectory writeback() {
    return writeback;
  }

  /** What the writer writes segments with. */
  Codec codec() {
    return residentKeys == null ? Codec.getDefault() : residentKeys.codec();
  }

  /** What is held in memory of ids; null when nothing is. */
  public ResidentKeysResult residentKeys() {
    if (resident == null) {
      return null;
    }
    ResidentSnapshot held = resident.snapshot();
    return new ResidentKeysResult(
        held.bytes(),
        held.peakBytes(),
        held.maxBytes(),
        held.bytesBySegment().size(),
        held.loadedFiles(),
        held.waitingFiles(),
        held.faults());
  }

  /** The one writer's. */
  ConcurrentMergeScheduler scheduler() {
    return scheduler;
  }

  /** The same, if it is ours; null with {@code preset=stock}. */
  public RateLimitedMergeScheduler cappedScheduler() {
    return capped;
  }

  /**
   * What accepted merges have still to write; null with {@code preset=stock}, where nobody knows.
   */
  public Long mergeDebtBytes() {
    return capped == null ? null : capped.debt().debtBytes();
  }

  /** What can be watched of the arm. */
  public ArmParts parts(IndexWriter writer, Reopener reopener) {
    return new ArmParts(
        Optional.ofNullable(budget),
        Optional.ofNullable(capped),
        writer.getDirectory(),
        reopener.monitor());
  }

  /** What the scheduler said of the cap until now. */
  public CapTrouble capTrouble() {
    return capWatch.trouble();
  }
}
