package io.weir.stress.setting;

import static io.weir.stress.setting.ArmKind.ENGINE;
import static io.weir.stress.setting.ArmKind.INDEX;
import static io.weir.stress.setting.ArmKind.LOAD;
import static io.weir.stress.setting.ArmKind.STRESS;
import static io.weir.stress.setting.ArmKind.TARGET;
import static io.weir.stress.setting.ValueFormat.choice;
import static io.weir.stress.setting.ValueFormat.coresOrOff;
import static io.weir.stress.setting.ValueFormat.count;
import static io.weir.stress.setting.ValueFormat.duration;
import static io.weir.stress.setting.ValueFormat.durationFrom;
import static io.weir.stress.setting.ValueFormat.latencyTarget;
import static io.weir.stress.setting.ValueFormat.onOrOff;
import static io.weir.stress.setting.ValueFormat.optional;
import static io.weir.stress.setting.ValueFormat.per;
import static io.weir.stress.setting.ValueFormat.rate;
import static io.weir.stress.setting.ValueFormat.rateOrOff;
import static io.weir.stress.setting.ValueFormat.sizeOrOff;
import static io.weir.stress.setting.ValueFormat.text;
import static io.weir.stress.setting.ValueFormat.versionFrom;
import static io.weir.stress.setting.ValueFormat.words;

import io.weir.control.LatencyTarget;
import io.weir.option.HumanBytes;
import io.weir.rate.Rate;
import io.weir.store.FlushedFilesOptions;
import io.weir.store.MergePageCache;
import io.weir.store.SmallFilesOptions;
import io.weir.store.WritebackOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.lucene.util.Version;

/**
 * The table of an arm's settings, in the order in which people read them. An entry here is all that
 * a new setting takes, besides its use: the command line, its help, the files of a run and what
 * each {@link ArmKind} refuses follow from it. What settings require of each other is in {@link
 * ArmRule}.
 *
 * <p>With {@link Preset#WEIR} the defaults are what the README recommends to applications: the
 * directory and the scheduler with one budget, reopens that wait for no merge, and every component.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ArmSetting {

  /** The most operations of one kind that one run can be asked for in a second. */
  private static final double MAX_PER_SECOND = 100_000;

  private static final double MAX_COMMITS_PER_MINUTE = 6000;

  /** Each is a file that Lucene holds open. */
  private static final int MAX_OVERLAYS = 1000;

  /** The first that reads and writes the format of the indexes that arms start from. */
  private static final Version OLDEST_OF_THE_FORMAT = Version.fromBits(10, 4, 0);

  private static final List<Setting<?>> TABLE =
      new ArrayList<>(); // before the rows, which add to it

  /** What the write path is made of. */
  public static final Setting<Preset> PRESET =
      row("preset", choice(Preset.class), STRESS, ENGINE, LOAD, INDEX)
          .help(
              "The write path: Weir's directory and merge scheduler, or Lucene as it comes,"
                  + " to which single settings can be added.")
          .byDefault(Preset.WEIR);

  /** The rate of the budget; only with {@link Preset#WEIR}, which has one. */
  public static final Setting<Rate> CAP =
      row("cap", rateOrOff(), STRESS, ENGINE, LOAD, INDEX)
          .help("The most that all merges together write in a second; only with preset=weir.")
          .onlyWhen(arm -> arm.get(PRESET) == Preset.WEIR)
          .byDefault(Rate.UNLIMITED);

  /** Whether the budget counts what merges read from storage as well. */
  public static final Setting<Boolean> COUNT_READS =
      row("count-reads", onOrOff(), STRESS, ENGINE, LOAD)
          .help(
              "The cap, or the rate that hold sets, counts what merges read from the disk as well as"
                  + " what they write; only with preset=weir.")
          .onlyWhen(arm -> arm.get(PRESET) == Preset.WEIR)
          .byDefault(false);

  /** The latency that sets the rate of the budget; empty for none. */
  public static final Setting<Optional<LatencyTarget>> HOLD =
      row("hold", optional(latencyTarget("reopen", "search")), STRESS)
          .help(
              "Let merges run as fast as this latency allows, such as reopen.p99<50ms or"
                  + " search.p90<20ms: it sets the rate of all merges, with the cap as its ceiling."
                  + " Only with preset=weir.")
          .onlyWhen(arm -> arm.get(PRESET) == Preset.WEIR)
          .byDefault(Optional.empty());

  /** The time in which the forced merge is to be done; empty for as fast as it can. */
  public static final Setting<Optional<Duration>> DEADLINE =
      row("deadline", optional(durationFrom(Duration.ofSeconds(1))), STRESS)
          .help(
              "Pace the forced merge so that it ends within this time; only with"
                  + " preset=weir and merge=forced.")
          .onlyWhen(
              arm ->
                  arm.get(PRESET) == Preset.WEIR
                      && arm.get(ArmSetting.MERGE) == MergeWorkload.FORCED)
          .byDefault(Optional.empty());

  /** Lucene's own cap on forced merges; {@link Rate#UNLIMITED} for none. */
  public static final Setting<Rate> LUCENE_FORCE_MERGE_CAP =
      row("lucene-force-merge-cap", rate(), STRESS, LOAD)
          .help("Lucene's own cap on each forced merge.")
          .byDefault(Rate.UNLIMITED);

  /** How long a reopen waits for merges of what it has just flushed; empty for Lucene's default. */
  public static final Setting<Optional<Duration>> FULL_FLUSH_WAIT =
      row("full-flush-wait", optional(duration()), STRESS, LOAD)
          .help("How long a reopen waits for merges of the segments that it has just flushed.")
          .byDefault(Optional.of(Duration.ZERO), Optional.empty());

  /** How much of a merge's output is written to disk at once; empty leaves it to the kernel. */
  public static final Setting<OptionalLong> WRITEBACK =
      row("writeback", sizeOrOff(ArmSetting::requireWriteback), STRESS, LOAD, INDEX)
          .help("Start writing a merge's output to disk each time there is this much of it.")
          .byDefault(
              arm ->
                  isWeirOnDisk(arm)
                      ? OptionalLong.of(WritebackOptions.DEFAULT.rangeBytes())
                      : OptionalLong.empty());

  /** What merges leave in the page cache. */
  public static final Setting<MergePageCache> MERGE_PAGE_CACHE =
      row("merge-page-cache", choice(MergePageCache.class), STRESS, LOAD, INDEX)
          .help(
              "Leave searches what they have in the page cache (neutral), or let the kernel decide"
                  + " (kernel).")
          .byDefault(
              arm ->
                  isWeirOnDisk(arm) && arm.get(WRITEBACK).isPresent()
                      ? MergePageCache.DEFAULT
                      : MergePageCache.KERNEL);

  /** The longest file that is read into memory when it is opened, not mapped; empty for none. */
  public static final Setting<OptionalLong> SMALL_FILES =
      row("small-files", sizeOrOff(ArmSetting::requireSmallFiles), STRESS, LOAD, INDEX)
          .help("Read files up to this size into memory when they are opened; do not map them.")
          .byDefault(
              arm ->
                  arm.get(PRESET) == Preset.WEIR
                          && arm.get(ArmSetting.DIRECTORY) == DirectoryKind.MMAP
                      ? OptionalLong.of(SmallFilesOptions.DEFAULT.maxFileBytes())
                      : OptionalLong.empty());

  /** The longest file of a flush that is in memory until a commit; empty for none. */
  public static final Setting<OptionalLong> FLUSHED_FILES =
      row("flushed-files", sizeOrOff(ArmSetting::requireFlushedFiles), STRESS, LOAD, INDEX)
          .help("Keep files of flushes up to this size in memory until a commit.")
          .byDefault(
              arm ->
                  isWeirOnDisk(arm)
                      ? OptionalLong.of(FlushedFilesOptions.DEFAULT.maxFileBytes())
                      : OptionalLong.empty());

  /** When a commit syncs its own files. */
  public static final Setting<CommitSync> COMMIT_SYNC =
      row("commit-sync", choice(CommitSync.class), STRESS, LOAD)
          .help(
              "Let a commit sync its own files without the writer's lock (deferred), or with it"
                  + " (inline).")
          .byDefault(CommitSync.DEFERRED, CommitSync.INLINE);

  /** Which thread unmaps a file that is closed. */
  public static final Setting<Unmapping> UNMAP =
      row("unmap", choice(Unmapping.class), STRESS, LOAD, INDEX)
          .help(
              "Unmap a closed file on a thread of its own (deferred), or on the thread that"
                  + " closes it (inline).")
          .byDefault(Unmapping.DEFERRED, Unmapping.INLINE);

  /** Whether merged segments are fetched and opened before readers see them. */
  public static final Setting<Boolean> WARMER =
      row("warmer", onOrOff(), STRESS, LOAD)
          .help("Read and open merged segments before readers see them.")
          .byDefault(true, false);

  /** Whether merges pause while readers wait for the disk. */
  public static final Setting<Boolean> READERS_FIRST =
      row("readers-first", onOrOff(), STRESS, LOAD, INDEX)
          .help("Pause merges while readers wait for the disk; only with preset=weir.")
          .byDefault(ArmSetting::isWeirOnDisk);

  /** Whether merges compute in the idle scheduling class of Linux. */
  public static final Setting<Boolean> IDLE_CLASS =
      row("idle-class", onOrOff(), STRESS, LOAD)
          .help(
              "Let merges compute in Linux's class SCHED_IDLE, on what others leave of the"
                  + " processors; only with preset=weir, and where a thread may leave that class"
                  + " again: as root, with CAP_SYS_NICE or with a nice limit of 20.")
          .byDefault(false);

  /** How many cores all merges may use together. */
  public static final Setting<OptionalDouble> MERGE_CPU =
      row("merge-cpu", coresOrOff(), STRESS, LOAD)
          .help("The most processor cores that all merges use together; only with preset=weir.")
          .onlyWhen(arm -> arm.get(PRESET) == Preset.WEIR)
          .byDefault(OptionalDouble.empty());

  /** How documents are looked up by their id. */
  public static final Setting<IdPostings> ID_POSTINGS =
      row("id-postings", choice(IdPostings.class), STRESS, LOAD, INDEX)
          .help(
              "Look up ids as Lucene does (default), or in a dictionary on the heap (resident)."
                  + " Arms with resident start from an index of their own, DIR-resident beside --index DIR.")
          .byDefault(IdPostings.RESIDENT, IdPostings.DEFAULT);

  /** Which segments have their files packed into one. */
  public static final Setting<CompoundFiles> COMPOUND =
      row("compound", choice(CompoundFiles.class), STRESS, ENGINE, TARGET, LOAD, INDEX)
          .help(
              "Pack the files of each segment into one: for all (always), for none (never), or"
                  + " as Lucene does, for those up to a tenth of the index (default). Search engines"
                  + " often pack all. Arms with always or never start from indexes of their own,"
                  + " DIR-compound and DIR-noncompound.")
          .byDefault(CompoundFiles.DEFAULT);

  /** Which codec writes segments. */
  public static final Setting<StoredCodec> CODEC =
      row("codec", choice(StoredCodec.class), STRESS, LOAD, INDEX)
          .help(
              "The codec that writes segments: Lucene's default, or the same with better"
                  + " compression of stored fields. An index that is there already keeps its codec"
                  + " until it is merged.")
          .byDefault(StoredCodec.DEFAULT);

  /** How segments hold vectors. */
  public static final Setting<VectorFormat> VECTOR_FORMAT =
      row("vector-format", choice(VectorFormat.class), STRESS, ENGINE, TARGET, LOAD, INDEX)
          .help(
              "Search vectors as floats, or quantised to 8, 4 or 1 bit for each number. Needs"
                  + " --vectors. In engines int8 has 7 bits; OpenSearch has no int4 and binary, Solr"
                  + " only float. Arms with another format than float start from an index of their"
                  + " own, such as DIR-int8.")
          .onlyWhen(arm -> arm.get(ArmSetting.VECTOR_FORMAT) != VectorFormat.FLOAT)
          .byDefault(VectorFormat.FLOAT);

  /** How the index is read. */
  public static final Setting<DirectoryKind> DIRECTORY =
      row("directory", choice(DirectoryKind.class), STRESS, LOAD, INDEX)
          .help(
              "How the index is read. With heap it is held on the heap: the arm needs"
                  + " jvm-args=-Xmx of about 2.5 times the index and 256 MB, and writeback,"
                  + " small-files and readers-first are off.")
          .byDefault(DirectoryKind.MMAP);

  /** How mapped files are advised to the kernel. */
  public static final Setting<MappingAdvice> READ_ADVICE =
      row("read-advice", choice(MappingAdvice.class), STRESS, LOAD, INDEX)
          .help(
              "Map all files alike (default), or tell the kernel how each will be read"
                  + " (by-context): of stored fields and vectors, a page fault then reads one page."
                  + " OpenSearch and Elasticsearch do the latter.")
          .onlyWhen(ArmSetting::isMapped)
          .byDefault(MappingAdvice.DEFAULT);

  /** How many overlays a column of updated doc values has at most; empty for Lucene's default. */
  public static final Setting<Optional<Integer>> OVERLAYS =
      row("overlays", optional(count(MAX_OVERLAYS)), STRESS, LOAD, INDEX)
          .help(
              "Write doc-values updates as up to this many overlays of a column, 0 for a new column"
                  + " each time, as Lucene 10.6 does by default. Only with lucene=10.6.0 or newer,"
                  + " and with mode=soft-update.")
          .byDefault(Optional.empty());

  /** In which state the pages of the index are when it is opened. */
  public static final Setting<CacheState> CACHE =
      row("cache", choice(CacheState.class), STRESS, ENGINE, LOAD)
          .ofTheRun()
          .help(
              "The state of the index in the page cache when an arm opens it: cold, its"
                  + " files are synced and their pages dropped (Linux, Java 22 or later, no root"
                  + " needed); warm, each file is read once; as-is, as the arm before left it. The"
                  + " report says what share was there.")
          .byDefault(CacheState.AS_IS);

  /** Which large merge there is. */
  public static final Setting<MergeWorkload> MERGE =
      row("merge", choice(MergeWorkload.class), STRESS, ENGINE, TARGET, LOAD)
          .ofTheRun()
          .help("The large merge in the middle.")
          .byDefault(MergeWorkload.FORCED);

  /** When an arm gives up its large merge; empty for never. */
  public static final Setting<Optional<Duration>> MERGE_TIMEOUT =
      row("merge-timeout", optional(durationFrom(Duration.ofSeconds(1))), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help(
              "Give up the large merge after this time: the arm then ends, with no phase after it."
                  + " Without it, an arm lasts as long as its merge.")
          .onlyWhen(arm -> arm.get(MERGE) != MergeWorkload.NONE)
          .byDefault(Optional.empty());

  /** What the indexing load does. */
  public static final Setting<UpdateMode> MODE =
      row("mode", choice(UpdateMode.class), STRESS, ENGINE, TARGET, LOAD, INDEX)
          .ofTheRun()
          .help(
              "Replace documents by their id, replace them as OpenSearch and Elasticsearch"
                  + " do, or add new ones. With soft-update a doc-values update marks the old"
                  + " document (a soft delete), and merges keep it while it is among the last 1000"
                  + " operations.")
          .byDefault(UpdateMode.UPDATE);

  /** Rate of updates or adds; 0 for none. */
  public static final Setting<LoadRate> UPDATES_PER_SECOND =
      row("updates-per-second", per("second", MAX_PER_SECOND), STRESS, ENGINE, TARGET, LOAD)
          .ofTheRun()
          .help(
              "Rate of updates or adds: a number, or levels in turn. Each of 50,500/20s is held for"
                  + " 20 s, the first from the beginning of the warm-up.")
          .byDefault(LoadRate.steady(50));

  /** Rate of reopens, on a fixed schedule; 0 for none. */
  public static final Setting<LoadRate> REOPENS_PER_SECOND =
      row("reopens-per-second", per("second", MAX_PER_SECOND), STRESS, ENGINE, TARGET, LOAD)
          .ofTheRun()
          .help(
              "Rate of reopens, on a fixed schedule: a number, or levels as for updates-per-second.")
          .byDefault(LoadRate.steady(4));

  /** Mean rate of searches, at the times of a Poisson process; 0 for none. */
  public static final Setting<LoadRate> SEARCHES_PER_SECOND =
      row("searches-per-second", per("second", MAX_PER_SECOND), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help(
              "Mean rate of searches, at random times: a number, or levels as for updates-per-second.")
          .byDefault(LoadRate.steady(20));

  /** Rate of commits; 0 for none. */
  public static final Setting<LoadRate> COMMITS_PER_MINUTE =
      row("commits-per-minute", per("minute", MAX_COMMITS_PER_MINUTE), STRESS, ENGINE, TARGET, LOAD)
          .ofTheRun()
          .help("Rate of commits: a number, or levels as for updates-per-second.")
          .byDefault(LoadRate.NONE);

  /** Load that is left out of every figure, while the JVM compiles. */
  public static final Setting<Duration> WARMUP =
      row("warmup", duration(), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help(
              "Load that counts in no figure, while the JVM compiles. It goes on for up to"
                  + " three times as long, until reopens are steady.")
          .byDefault(Duration.ofSeconds(5));

  /** Load without the large merge, to settle and to compare with. */
  public static final Setting<Duration> BEFORE =
      row("before", duration(), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help("Load before the merge.")
          .byDefault(Duration.ofSeconds(10));

  /** How long the middle phase is without a large merge, which would decide it. */
  public static final Setting<Duration> DURING =
      row("during", duration(), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help("Length of the phase that takes the place of the merge, with merge=none.")
          .onlyWhen(arm -> arm.get(MERGE) == MergeWorkload.NONE)
          .byDefault(Duration.ofSeconds(20));

  /** Load after the merge. */
  public static final Setting<Duration> AFTER =
      row("after", duration(), STRESS, ENGINE, TARGET)
          .ofTheRun()
          .help(
              "Load after the merge. The page cache recovers only as fast as searches read again"
                  + " what the merge evicted, which may take minutes.")
          .byDefault(Duration.ofSeconds(10));

  /** The Lucene to run; empty for the one that Weir brings. */
  public static final Setting<Optional<Version>> LUCENE =
      row("lucene", optional(versionFrom(OLDEST_OF_THE_FORMAT)), STRESS, LOAD, INDEX)
          .help(
              "The Lucene to run the arm with, if not "
                  + Version.LATEST
                  + ", which weir brings and builds indexes with. An error names what fetches it.")
          .byDefault(Optional.empty());

  /** The {@code java} to run; empty for the one that runs this. */
  public static final Setting<Optional<String>> JVM =
      row("jvm", optional(text("PATH")), STRESS, LOAD, INDEX)
          .help("The java to run the arm with, if not the one that runs weir.")
          .byDefault(Optional.empty());

  /** Further arguments for it; later ones win. */
  public static final Setting<List<String>> JVM_ARGS =
      row("jvm-args", words("'ARG ...'"), STRESS, ENGINE, LOAD, INDEX)
          .help("Further arguments for it, such as -XX:+UseZGC.")
          .byDefault(List.of());

  private ArmSetting() {}

  /** Each there is. */
  public static List<Setting<?>> all() {
    return Collections.unmodifiableList(TABLE);
  }

  /** Those that mean something for a kind of arm. */
  public static List<Setting<?>> all(ArmKind kind) {
    return TABLE.stream().filter(setting -> setting.isFor(kind)).toList();
  }

  /** The setting with a key. */
  public static Optional<Setting<?>> find(String key) {
    return all().stream().<Setting<?>>map(s -> s).filter(s -> s.key().equals(key)).findFirst();
  }

  private static <T> Setting.Row<T> row(
      String key, ValueFormat<T> format, ArmKind kind, ArmKind... more) {
    return new Setting.Row<>(TABLE, key, format, EnumSet.of(kind, more));
  }

  /** Without a disk there is nothing that could be done for it. */
  private static boolean isWeirOnDisk(ArmSettings arm) {
    return arm.get(PRESET) == Preset.WEIR && arm.get(DIRECTORY) != DirectoryKind.HEAP;
  }

  /** Whether searches and merges read the index through mappings. */
  static boolean isMapped(ArmSettings arm) {
    return switch (arm.get(DIRECTORY)) {
      case MMAP, DIRECT -> true;
      case NIO, HEAP -> false;
    };
  }

  private static void requireWriteback(String key, long rangeBytes) {
    if (rangeBytes < WritebackOptions.RANGE_STEP_BYTES
        || rangeBytes > WritebackOptions.MAX_RANGE_BYTES
        || rangeBytes % WritebackOptions.RANGE_STEP_BYTES != 0) {
      throw new IllegalArgumentException(
          "%s must be off or a multiple of %s, from %s to %s: %s"
              .formatted(
                  key,
                  HumanBytes.print(WritebackOptions.RANGE_STEP_BYTES),
                  HumanBytes.print(WritebackOptions.RANGE_STEP_BYTES),
                  HumanBytes.print(WritebackOptions.MAX_RANGE_BYTES),
                  HumanBytes.print(rangeBytes)));
    }
  }

  private static void requireSmallFiles(String key, long bytes) {
    requireAtMost(SmallFilesOptions.MAX_FILE_BYTES, key, bytes);
  }

  private static void requireFlushedFiles(String key, long bytes) {
    requireAtMost(FlushedFilesOptions.MAX_FILE_BYTES, key, bytes);
  }

  private static void requireAtMost(long most, String key, long bytes) {
    if (bytes < 1 || bytes > most) {
      throw new IllegalArgumentException(
          "%s must be off or from 1B to %s: %s"
              .formatted(key, HumanBytes.print(most), HumanBytes.print(bytes)));
    }
  }
}
