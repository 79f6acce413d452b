package io.weir.stress;

import io.weir.rate.Rate;
import io.weir.store.DropWritten;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackOptions;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Unmapping;
import io.weir.stress.setting.UpdateMode;
import java.time.Duration;
import java.util.List;

/** Settings of an arm that takes a second or two; a test sets what it is about. */
public final class QuickArm {

  public Preset preset = Preset.WEIR;
  public Rate cap = Rate.UNLIMITED;
  public Long luceneForceMergeCap;
  public Duration fullFlushWait;
  public long writebackRangeBytes = WritebackOptions.DEFAULT.rangeBytes();

  /** As far as there is writeback. */
  public DropWritten dropWritten = WritebackOptions.DEFAULT.dropWritten();

  public long smallFileBytes = SmallFilesOptions.DEFAULT.maxFileBytes();
  public Unmapping unmap = Unmapping.DEFERRED;
  public boolean warmer = true;

  /** Null is what the preset has. */
  public Boolean readersFirst;

  public IdPostings idPostings = IdPostings.RESIDENT;
  public CompoundFiles compound = CompoundFiles.DEFAULT;
  public DirectoryKind directory = DirectoryKind.MMAP;
  public CacheState cache = CacheState.AS_IS;
  public MergeWorkload merge = MergeWorkload.FORCED;
  public UpdateMode mode = UpdateMode.UPDATE;
  public double updatesPerSecond = 100;
  public double reopensPerSecond = 20;
  public double searchesPerSecond = 50;
  public double commitsPerMinute;
  public Duration warmup = Duration.ofMillis(300);
  public Duration before = Duration.ofMillis(400);
  public Duration during = Duration.ofMillis(500);
  public Duration after = Duration.ofMillis(400);
  public String jvm;
  public List<String> jvmArguments = List.of();

  public ArmSettings settings() {
    return new ArmSettings(
        preset,
        cap,
        luceneForceMergeCap,
        fullFlushWait,
        writebackRangeBytes,
        writebackRangeBytes == 0 ? DropWritten.NEVER : dropWritten,
        smallFileBytes,
        unmap,
        warmer,
        readersFirst == null ? preset == Preset.WEIR : readersFirst,
        idPostings,
        compound,
        directory,
        cache,
        merge,
        mode,
        updatesPerSecond,
        reopensPerSecond,
        searchesPerSecond,
        commitsPerMinute,
        warmup,
        before,
        during,
        after,
        jvm,
        jvmArguments);
  }
}
