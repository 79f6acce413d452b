package io.weir.run;

import static io.weir.figure.Figure.Kind.LEVEL;
import static io.weir.figure.Figure.Kind.SUMMARY;

import io.weir.figure.Figure;
import io.weir.figure.Unit;

/**
 * The figures of an arm, those of its large merge left aside: {@link MergeFigures}. Latencies count
 * from the intended start unless they say otherwise; figures by phase lack those that did not
 * happen. What each is, its text says.
 */
public final class ArmFigures {

  static final FigureSet ALL = new FigureSet();

  /**
   * A load has fallen behind when half of its operations end later than this after they were due.
   */
  public static final double BEHIND_MILLIS = 1000;

  public static final FigureBy<Phase, Double> PHASE_SECONDS =
      seconds("phaseSeconds.*", "how long the phase was");

  public static final FigureBy<Phase, LatencySummary> REOPEN =
      latency("reopen.*", "reopens, from the intended start");

  public static final FigureBy<Phase, LatencySummary> REOPEN_SERVICE =
      latency("service.*", "reopens, from the real start");

  public static final FigureBy<Phase, LatencySummary> VISIBLE =
      latency("visible.*", "from when a write was due until what it wrote can be found");

  public static final FigureBy<Phase, VisibleParts> VISIBLE_PARTS =
      parts("visibleParts.*", "where that time went, on average");

  /** Of the writes of a phase. */
  public static final double SLOWEST_SHARE = 0.1;

  public static final FigureBy<Phase, VisibleParts> VISIBLE_SLOWEST =
      parts("visibleSlowest.*", "the same of the tenth of writes that took longest");

  public static final Work SEARCH = work("search", "searches");

  public static final Work UPDATE = work("update", "updates");

  public static final Work COMMIT = work("commit", "commits");

  public static final Figure<Long> SEARCHES =
      ALL.count("searchHits.searches", "searches after the warm-up that were begun");

  public static final Figure<Long> SEARCHES_WITHOUT_HITS =
      ALL.count("searchHits.withoutHits", "searches that matched no document, and so read nothing");

  public static final Figure<Long> SLOW_THRESHOLD =
      ALL.whole(
          "slowReopens.thresholdMillis",
          Unit.MILLIS,
          "a reopen that takes as long from its real start is slow");

  public static final FigureBy<Phase, Long> SLOW_REOPENS =
      count("slowReopens.reopens.*", "slow reopens that were due in the phase");

  public static final FigureBy<Phase, Double> SLOW_LOST =
      seconds(
          "slowReopens.lostSeconds.*",
          "the whole time of slow reopens, from the real start to the end");

  public static final FigureBy<Phase, SlowCauses> SLOW_CAUSES =
      FigureBy.of(
          Phase.MEASURED,
          "slowReopens.causes.*",
          id ->
              ALL.add(
                  id,
                  SlowCauses.class,
                  Unit.NONE,
                  SUMMARY,
                  "what slow reopens waited for, the largest first"));

  public static final Figure<Long> DIRTY_PEAK =
      ALL.whole(
          "dirty.peakBytes",
          Unit.BYTES,
          "the most dirty pages of the machine in any sample, the warm-up excluded; "
              + "absent where the kernel does not report it");

  public static final FigureBy<Phase, Long> DIRTY_PEAK_OF =
      FigureBy.of(
          Phase.MEASURED,
          "dirty.peakByPhase.*",
          id ->
              ALL.add(
                  id,
                  Long.class,
                  Unit.BYTES,
                  LEVEL,
                  "the most dirty pages of the machine in any sample of the phase"));

  public static final Figure<Long> GC_COLLECTIONS =
      ALL.count("gc.collections", "garbage collections since the warm-up began");

  public static final Figure<Double> GC_SECONDS =
      ALL.seconds(
          "gc.seconds",
          "the time of collections as the collectors report it, concurrent time " + "included");

  public static final Figure<String> GC_COLLECTORS =
      ALL.words("gc.collectors", "the names of the collectors in the JVM, with commas");

  public static final FigureBy<Phase, Long> GC_PAUSES =
      FigureBy.of(
          Phase.MEASURED,
          "gc.pauses.*.count",
          id ->
              ALL.count(
                  id,
                  "pauses of the collector that began in the phase; absent where the JVM does "
                      + "not report them"));

  public static final FigureBy<Phase, Double> GC_PAUSED =
      level("gc.pauses.*.totalMillis", Unit.MILLIS, "the sum of these pauses; 0 without one");

  public static final FigureBy<Phase, Double> GC_LONGEST =
      level("gc.pauses.*.longestMillis", Unit.MILLIS, "the longest of these pauses; 0 without one");

  /** Of fewer pauses, the 99th percentile would be the longest. */
  public static final int LEAST_PAUSES_FOR_P99 = 100;

  public static final FigureBy<Phase, Double> GC_P99 =
      level(
          "gc.pauses.*.p99Millis",
          Unit.MILLIS,
          "the 99th percentile of these pauses; absent for fewer than 100");

  public static final FigureBy<Phase, LatencySummary> HICCUPS =
      latency(
          "noise.hiccups.*",
          "the floor of the instrument: how late an idle thread of the arm's JVM woke "
              + "up, due every 5 ms");

  public static final Figure<LatencySummary> NOISE_CONTROL =
      ALL.add(
          "noise.control",
          LatencySummary.class,
          Unit.MILLIS,
          SUMMARY,
          "how late a thread of an idle JVM woke up, due every 5 ms");

  public static final FigureBy<Phase, HostNoise> NOISE_HOST =
      FigureBy.of(
          Phase.MEASURED,
          "noise.host.*",
          id ->
              ALL.add(
                  id,
                  HostNoise.class,
                  Unit.NONE,
                  SUMMARY,
                  "what others did on the machine; absent for a phase too short to measure"));

  public static final Figure<Double> WARM_UP_ASKED =
      ALL.seconds("warmUp.askedSeconds", "the shortest warm-up, as requested");

  public static final Figure<Double> WARM_UP_SECONDS =
      ALL.seconds("warmUp.seconds", "how long the warm-up was; absent when the arm ended before");

  public static final Figure<Boolean> WARM_UP_STEADY =
      ALL.flag(
          "warmUp.steady",
          "whether earlier and later reopens of the warm-up did not differ; absent "
              + "when they were too few to tell");

  public static final Figure<Double> WARM_UP_EARLIER =
      ALL.level(
          "warmUp.earlierMillis",
          Unit.MILLIS,
          "the median of the earlier reopens; absent without any");

  public static final Figure<Double> WARM_UP_LATER =
      ALL.level(
          "warmUp.laterMillis", Unit.MILLIS, "the median of the later reopens; absent without any");

  public static final Figure<Double> WARM_UP_CHANCE =
      ALL.level(
          "warmUp.chance",
          Unit.SHARE,
          "how often steady reopens differ so or more (Mann-Whitney's test); absent "
              + "when they were too few");

  public static final Figure<Double> INSTRUMENT_CPU =
      ALL.seconds(
          "instrument.cpuSeconds",
          "processor time of the measuring threads; absent where the JVM does not " + "report it");

  public static final Figure<Double> INSTRUMENT_CPU_PERCENT =
      ALL.level(
          "instrument.cpuPercent",
          Unit.PERCENT,
          "processor time of the measuring threads, of one processor");

  public static final Figure<Long> SAMPLES =
      ALL.count("instrument.samples", "lines of the arm in series.csv, ten a second");

  public static final Figure<Long> MISSED_SAMPLES =
      ALL.count("instrument.missedSamples", "how many more samples were due");

  public static final Figure<Double> LONGEST_GAP =
      ALL.level(
          "instrument.longestGapMillis",
          Unit.MILLIS,
          "the longest gap between two samples; a peak inside it went unseen");

  public static final Figure<Long> RESIDENT_BYTES =
      ALL.bytes("residentKeys.bytes", "key dictionaries in memory at the arm's end");

  public static final Figure<Long> RESIDENT_PEAK =
      ALL.bytes("residentKeys.peakBytes", "the most bytes of key dictionaries at one time");

  public static final Figure<Long> RESIDENT_BOUND =
      ALL.bytes("residentKeys.maxBytes", "the most bytes of key dictionaries that may be held");

  public static final Figure<Long> RESIDENT_SEGMENTS =
      ALL.count(
          "residentKeys.segments", "segments that had key dictionaries in memory at the arm's end");

  public static final Figure<Long> RESIDENT_LOADED =
      ALL.count(
          "residentKeys.loadedFiles",
          "files of key dictionaries held so far, two for each segment");

  public static final Figure<Long> RESIDENT_OVER_BOUND =
      ALL.count(
          "residentKeys.overBound",
          "files of key dictionaries left on the disk at the end for want of room");

  public static final Figure<Long> RESIDENT_FAULTS =
      ALL.count("residentKeys.faults", "files of key dictionaries left on the disk after a fault");

  public static final Figure<String> CACHE_ASKED =
      ALL.words(
          "cache.asked", "the requested state of the page cache when the arm opened its index");

  public static final Figure<Long> INDEX_BYTES =
      ALL.bytes("cache.indexBytes", "all files of the index");

  public static final Figure<Double> RESIDENT_SHARE =
      ALL.level(
          "cache.residentShare",
          Unit.SHARE,
          "the part of the index in the page cache; absent where it is unknown");

  public static final Figure<Boolean> CACHE_AS_ASKED =
      ALL.flag(
          "cache.asAsked",
          "whether the page cache was in the requested state; absent with `as-is`, "
              + "false where it is unknown");

  public static final Figure<String> CACHE_REASON =
      ALL.words("cache.reason", "why the page cache was not as requested, or why that is unknown");

  public static final FigureBy<Phase, Long> MAJOR_FAULTS =
      FigureBy.of(
          Phase.MEASURED,
          "cache.phases.*.majorFaults",
          id ->
              ALL.count(
                  id,
                  "page faults of the process that read from storage; absent where the kernel "
                      + "does not report it"));

  public static final FigureBy<Phase, Long> READ_BYTES =
      FigureBy.of(
          Phase.MEASURED,
          "cache.phases.*.readBytes",
          id ->
              ALL.bytes(
                  id,
                  "what the process read from storage, by page faults, calls and read-ahead; "
                      + "absent likewise"));

  public static final FigureBy<Phase, Long> REFAULTED_BYTES =
      bytes(
          "cache.phases.*.refaultedBytes",
          "pages of files that were evicted from the page cache and read again, by the arm's "
              + "control group, else by the machine; absent where the kernel does not count them");

  public static final Figure<Long> WARM_UP_MAJOR_FAULTS =
      ALL.count(
          "cache.warmup.majorFaults",
          "page faults that read from storage, from the opening of the index to the "
              + "end of the warm-up");

  public static final Figure<Long> WARM_UP_READ_BYTES =
      ALL.bytes("cache.warmup.readBytes", "what was read from storage in the same time");

  public static final Figure<Double> RECALL =
      ALL.level(
          "vectors.recallAt10",
          Unit.SHARE,
          "the part of the 10 nearest neighbours that a search finds, by an exact search over the "
              + "arm's last documents, for 50 of its queries; absent without vectors");

  public static final Figure<Long> VECTORS =
      ALL.count("vectors.documents", "documents with a vector that the exact search compared");

  public static final Figure<Long> CHECKED_SEGMENTS =
      ALL.count(
          "indexCheck.segments",
          "segments that CheckIndex found clean after a last commit; absent unless " + "asked for");

  public static final Figure<Long> CHECKED_DOCUMENTS =
      ALL.count("indexCheck.documents", "documents in these segments that are not deleted");

  public static final Figure<Double> CHECK_SECONDS =
      ALL.seconds("indexCheck.seconds", "how long CheckIndex took");

  private ArmFigures() {}

  private static FigureBy<Phase, Long> count(String ids, String text) {
    return FigureBy.of(Phase.MEASURED, ids, id -> ALL.count(id, text));
  }

  private static FigureBy<Phase, Long> bytes(String ids, String text) {
    return FigureBy.of(Phase.MEASURED, ids, id -> ALL.bytes(id, text));
  }

  private static FigureBy<Phase, Double> seconds(String ids, String text) {
    return FigureBy.of(Phase.MEASURED, ids, id -> ALL.seconds(id, text));
  }

  private static FigureBy<Phase, LatencySummary> latency(String ids, String text) {
    return FigureBy.of(
        Phase.MEASURED, ids, id -> ALL.add(id, LatencySummary.class, Unit.MILLIS, SUMMARY, text));
  }

  private static FigureBy<Phase, VisibleParts> parts(String ids, String text) {
    return FigureBy.of(
        Phase.MEASURED, ids, id -> ALL.add(id, VisibleParts.class, Unit.MILLIS, SUMMARY, text));
  }

  private static FigureBy<Phase, Double> level(String ids, Unit unit, String text) {
    return FigureBy.of(Phase.MEASURED, ids, id -> ALL.level(id, unit, text));
  }

  private static Work work(String name, String text) {
    return new Work(
        level(name + ".*.askedPerSecond", Unit.PER_SECOND, text + " that were asked for"),
        level(name + ".*.achievedPerSecond", Unit.PER_SECOND, text + " that ended"),
        latency(name + ".*.latency", text + ", from the intended start"),
        latency(name + ".*.service", text + ", from the real start"));
  }
}
