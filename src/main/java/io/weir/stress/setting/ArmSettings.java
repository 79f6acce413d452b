package io.weir.stress.setting;

import static io.weir.stress.setting.ArmDescription.number;
import static io.weir.stress.setting.ArmDescription.size;
import static io.weir.stress.setting.ArmDescription.spelled;

import io.weir.rate.Rate;
import io.weir.store.DropWritten;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackOptions;
import io.weir.stress.plan.IndexLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All that one arm does.
 *
 * @param preset what is in the write path
 * @param cap the budget's rate; null with {@link Preset#STOCK}, which has no budget
 * @param luceneForceMergeCapBytesPerSecond Lucene's own cap on forced merges; null for none
 * @param fullFlushWait how long a reopen waits for the merges of what it has just flushed; null for
 *     Lucene's default
 * @param writebackRangeBytes how much of a merge's output is written to disk at once; 0 when the
 *     kernel writes it when it likes
 * @param dropWritten of which merges what is on the disk leaves the page cache at once
 * @param smallFileBytes the longest file that is read into memory when it is opened, and not
 *     mapped; 0 for none
 * @param unmap which thread unmaps a file that is closed
 * @param warmer whether merged segments are fetched and opened before readers see them
 * @param readersFirst whether merges stand aside while readers wait for the disk
 * @param idPostings how documents are looked up by their id
 * @param compound which segments have their files packed into one
 * @param directory how the index is read
 * @param cache in which state its pages are when it is opened
 * @param updatesPerSecond steady rate of updates or adds; 0 for none
 * @param reopensPerSecond steady rate of reopens, on a fixed schedule
 * @param searchesPerSecond mean rate of searches, with exponential gaps; 0 for none
 * @param commitsPerMinute steady rate of commits; 0 for none
 * @param warmup load that is left out of every figure, while the JVM compiles
 * @param before load without the large merge, to settle and to compare with
 * @param during how long the middle phase is when {@code merge} is {@link MergeWorkload#NONE};
 *     otherwise the merge decides
 * @param after load after the merge
 * @param jvm the {@code java} to run; null for the one that runs this
 * @param jvmArguments further arguments for it; later ones win
 */
public record ArmSettings(
    Preset preset,
    Rate cap,
    Long luceneForceMergeCapBytesPerSecond,
    Duration fullFlushWait,
    long writebackRangeBytes,
    DropWritten dropWritten,
    long smallFileBytes,
    Unmapping unmap,
    boolean warmer,
    boolean readersFirst,
    IdPostings idPostings,
    CompoundFiles compound,
    DirectoryKind directory,
    CacheState cache,
    MergeWorkload merge,
    UpdateMode mode,
    double updatesPerSecond,
    double reopensPerSecond,
    double searchesPerSecond,
    double commitsPerMinute,
    Duration warmup,
    Duration before,
    Duration during,
    Duration after,
    String jvm,
    List<String> jvmArguments) {

  /** The most operations of one kind a second that one run can be asked for. */
  public static final double MAX_PER_SECOND = 100_000;

  /** The most commits a minute that one run can be asked for. */
  public static final double MAX_COMMITS_PER_MINUTE = 6000;

  /** Refuses what cannot be run. */
  public ArmSettings {
    Objects.requireNonNull(preset, "preset");
    Objects.requireNonNull(unmap, "unmap");
    Objects.requireNonNull(idPostings, "idPostings");
    Objects.requireNonNull(compound, "compound");
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(merge, "merge");
    Objects.requireNonNull(mode, "mode");
    if ((preset == Preset.STOCK) != (cap == null)) {
      throw new IllegalArgumentException(
          preset == Preset.STOCK
              ? "cap needs preset=weir, because preset=stock has nothing that could cap: cap=" + cap
              : "preset=weir needs a cap (a rate or off)");
    }
    if (preset == Preset.STOCK && readersFirst) {
      throw new IllegalArgumentException(
          "readers-first=on needs preset=weir, because Lucene's scheduler asks nobody:"
              + " preset=stock");
    }
    if (directory == DirectoryKind.HEAP) {
      requireNothingForADisk(writebackRangeBytes, readersFirst);
    }
    requireWriteback(writebackRangeBytes);
    Objects.requireNonNull(dropWritten, "dropWritten");
    if (writebackRangeBytes == 0 && dropWritten != DropWritten.NEVER) {
      throw new IllegalArgumentException(
          "drop-written needs writeback, because what is not on the disk cannot be dropped:"
              + " writeback=off, drop-written="
              + spelled(dropWritten));
    }
    requireSmallFiles(smallFileBytes, directory);
    requirePerSecond("updates-per-second", updatesPerSecond, 0);
    requirePerSecond("reopens-per-second", reopensPerSecond, 0.01);
    requirePerSecond("searches-per-second", searchesPerSecond, 0);
    requireRate("commits-per-minute", commitsPerMinute, 0, MAX_COMMITS_PER_MINUTE, "minute");
    if (fullFlushWait != null) {
      requireDuration("full-flush-wait", fullFlushWait);
    }
    requireDuration("warmup", warmup);
    requireDuration("before", before);
    requireDuration("during", during);
    requireDuration("after", after);
    jvmArguments = List.copyOf(jvmArguments);
  }

  /** What the index must be like that an arm starts from. */
  public IndexLayout layout() {
    return new IndexLayout(idPostings.layout(), compound);
  }

  /** Whether anything caps the large merge. */
  public boolean isCapped() {
    return luceneForceMergeCapBytesPerSecond != null || cap != null && cap.isLimited();
  }

  /** The option that caps the large merge: with {@link Preset#STOCK} Lucene's own. */
  public String capOption() {
    return preset == Preset.STOCK ? "lucene-force-merge-cap" : "cap";
  }

  /** This, with a cap on the large merge: with {@link Preset#STOCK} Lucene's own. */
  public ArmSettings withCap(long bytesPerSecond) {
    boolean stock = preset == Preset.STOCK;
    Rate newCap = stock ? null : Rate.perSecond(bytesPerSecond);
    Long newLuceneCap = stock ? Long.valueOf(bytesPerSecond) : luceneForceMergeCapBytesPerSecond;
    return new ArmSettings(
        preset,
        newCap,
        newLuceneCap,
        fullFlushWait,
        writebackRangeBytes,
        dropWritten,
        smallFileBytes,
        unmap,
        warmer,
        readersFirst,
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

  /** Each option by the name it has on the command line, in a form that is understood there. */
  public Map<String, String> describe() {
    return ArmDescription.of(this);
  }

  /** What acts on a disk would do nothing, and the result would be told as if it had. */
  private static void requireNothingForADisk(long writebackRangeBytes, boolean readersFirst) {
    if (writebackRangeBytes != 0) {
      throw new IllegalArgumentException(
          "writeback needs a directory on a disk, because with directory=heap nothing is written to"
              + " one: writeback="
              + size(writebackRangeBytes));
    }
    if (readersFirst) {
      throw new IllegalArgumentException(
          "readers-first=on needs a directory on a disk, because with directory=heap nobody waits for"
              + " one: directory=heap");
    }
  }

  private static void requireWriteback(long rangeBytes) {
    if (rangeBytes != 0
        && (rangeBytes < WritebackOptions.RANGE_STEP_BYTES
            || rangeBytes > WritebackOptions.MAX_RANGE_BYTES
            || rangeBytes % WritebackOptions.RANGE_STEP_BYTES != 0)) {
      throw new IllegalArgumentException(
          "writeback must be off or a multiple of %s, from %s to %s: %s"
              .formatted(
                  size(WritebackOptions.RANGE_STEP_BYTES),
                  size(WritebackOptions.RANGE_STEP_BYTES),
                  size(WritebackOptions.MAX_RANGE_BYTES),
                  size(rangeBytes)));
    }
  }

  private static void requireSmallFiles(long bytes, DirectoryKind directory) {
    if (bytes < 0 || bytes > SmallFilesOptions.MAX_FILE_BYTES) {
      throw new IllegalArgumentException(
          "small-files must be off or from 1B to %s: %s"
              .formatted(size(SmallFilesOptions.MAX_FILE_BYTES), size(bytes)));
    }
    if (bytes > 0 && directory != DirectoryKind.MMAP) {
      throw new IllegalArgumentException(
          "small-files needs directory=mmap, because with directory=%s it does nothing: small-files=%s"
              .formatted(spelled(directory), size(bytes)));
    }
  }

  private static void requirePerSecond(String name, double value, double least) {
    requireRate(name, value, least, MAX_PER_SECOND, "second");
  }

  private static void requireRate(
      String name, double value, double least, double most, String unit) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s per %s: %s"
              .formatted(name, number(least), number(most), unit, number(value)));
    }
  }

  private static void requireDuration(String name, Duration value) {
    if (value.isNegative() || value.compareTo(Duration.ofHours(24)) > 0) {
      throw new IllegalArgumentException(
          name + " must be from 0 s to 24 h: " + number(value.toMillis() / 1e3) + " s");
    }
  }
}
