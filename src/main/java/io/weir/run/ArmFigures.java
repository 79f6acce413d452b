package io.weir.run;

import static io.weir.figure.Figure.Kind.LEVEL;
import static io.weir.figure.Figure.Kind.SUMMARY;

import io.weir.figure.Figure;
import io.weir.figure.FigureBy;
import io.weir.figure.FigureSet;
import io.weir.figure.Unit;

/**
 * The figures of an arm, those of its large merge left aside: {@link MergeFigures}. Latencies count
 * from the intended start unless they say otherwise; figures by phase lack those that did not
 * happen.
 */
public final class ArmFigures {

  static final FigureSet ALL = new FigureSet();

  /** How long each phase was. */
  public static final FigureBy<Phase, Double> PHASE_SECONDS =
      FigureBy.of(
          Phase.MEASURED, "phaseSeconds.*", id -> ALL.seconds(id, "how long the phase was"));

  /** Reopens. */
  public static final FigureBy<Phase, LatencySummary> REOPEN =
      latency("reopen.*", "reopens, from the intended start");

  /** Reopens from the real start. */
  public static final FigureBy<Phase, LatencySummary> REOPEN_SERVICE =
      latency("service.*", "reopens, from the real start");

  /** From an update that was due until it can be found; only on an engine. */
  public static final FigureBy<Phase, LatencySummary> VISIBLE =
      latency("visible.*", "updates on an engine, from when they were due until visible");

  /** Searches; without values when the arm ran none. */
  public static final Work SEARCH = work("search", "searches");

  /** Updates or additions of documents; likewise. */
  public static final Work UPDATE = work("update", "updates");

  /** Commits; likewise. */
  public static final Work COMMIT = work("commit", "commits");

  /** The warm-up and what was never begun left aside. */
  public static final Figure<Long> SEARCHES =
      ALL.count("searchHits.searches", "searches after the warm-up that were begun");

  /** Those that matched no document, and so read nothing. */
  public static final Figure<Long> SEARCHES_WITHOUT_HITS =
      ALL.count("searchHits.withoutHits", "those of them that matched no document");

  /** A reopen that takes as long from its real start is slow. */
  public static final Figure<Long> SLOW_THRESHOLD =
      ALL.add(
          "slowReopens.thresholdMillis",
          Long.class,
          Unit.MILLIS,
          LEVEL,
          "a reopen that takes as long from its real start is slow");

  /** How many were slow. */
  public static final FigureBy<Phase, Long> SLOW_REOPENS =
      FigureBy.of(
          Phase.MEASURED,
          "slowReopens.reopens.*",
          id -> ALL.count(id, "slow reopens that were due in the phase"));

  /** What is lost to a slow reopen is all of its time, not what is beyond the threshold. */
  public static final FigureBy<Phase, Double> SLOW_LOST =
      FigureBy.of(
          Phase.MEASURED,
          "slowReopens.lostSeconds.*",
          id -> ALL.seconds(id, "their whole time, from the real start to the end"));

  /** What they waited for. */
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
                  "what they waited for, the largest first"));

  /** Dirty pages of the whole machine; absent where the kernel does not report them. */
  public static final Figure<Long> DIRTY_PEAK =
      ALL.add(
          "dirty.peakBytes",
          Long.class,
          Unit.BYTES,
          LEVEL,
          "the most dirty pages of the machine in any sample, the warm-up excluded");

  /** The same by phase. */
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

  /** Collections since the warm-up began. */
  public static final Figure<Long> GC_COLLECTIONS =
      ALL.count("gc.collections", "garbage collections since the warm-up began");

  /** Most of a concurrent collector's time is no waiting time. */
  public static final Figure<Double> GC_SECONDS =
      ALL.seconds("gc.seconds", "their time as the collectors report it, concurrent time included");

  /** Names in the JVM, with commas between them. */
  public static final Figure<String> GC_COLLECTORS =
      ALL.words("gc.collectors", "the names of the collectors in the JVM");

  /** Pauses, by the phase in which they began; absent where the JVM does not report them. */
  public static final FigureBy<Phase, Long> GC_PAUSES =
      FigureBy.of(
          Phase.MEASURED,
          "gc.pauses.*.count",
          id -> ALL.count(id, "times in which the collector stopped all threads"));

  /** Their sum. */
  public static final FigureBy<Phase, Double> GC_PAUSED =
      level("gc.pauses.*.totalMillis", Unit.MILLIS, "their sum; 0 without a pause");

  /** The longest of them. */
  public static final FigureBy<Phase, Double> GC_LONGEST =
      level("gc.pauses.*.longestMillis", Unit.MILLIS, "the longest of them; 0 without a pause");

  /** Of fewer pauses, the 99th percentile would be the longest. */
  public static final int LEAST_PAUSES_FOR_P99 = 100;

  /** Absent for fewer than {@link #LEAST_PAUSES_FOR_P99}. */
  public static final FigureBy<Phase, Double> GC_P99 =
      level("gc.pauses.*.p99Millis", Unit.MILLIS, "their 99th percentile, from 100 pauses on");

  /** The floor of the instrument: how late an idle thread of the arm's JVM wakes up. */
  public static final FigureBy<Phase, LatencySummary> HICCUPS =
      latency(
          "noise.hiccups.*", "how late an idle thread of the arm's JVM woke up, due every 5 ms");

  /** Absent until the run adds it. */
  public static final Figure<LatencySummary> NOISE_CONTROL =
      ALL.add(
          "noise.control",
          LatencySummary.class,
          Unit.MILLIS,
          SUMMARY,
          "how late a thread of an idle JVM woke up, due every 5 ms");

  /** Absent for a phase that was too short to measure. */
  public static final FigureBy<Phase, HostNoise> NOISE_HOST =
      FigureBy.of(
          Phase.MEASURED,
          "noise.host.*",
          id -> ALL.add(id, HostNoise.class, Unit.NONE, SUMMARY, "what others did on the machine"));

  /** The shortest warm-up. */
  public static final Figure<Double> WARM_UP_ASKED =
      ALL.seconds("warmUp.askedSeconds", "the shortest warm-up, as requested");

  /** Absent when the arm ended before the warm-up did. */
  public static final Figure<Double> WARM_UP_SECONDS =
      ALL.seconds("warmUp.seconds", "how long the warm-up was");

  /**
   * Whether the earlier and the later half of the reopens in the last two thirds of the requested
   * warm-up did not differ. Absent when there were too few reopens to tell.
   */
  public static final Figure<Boolean> WARM_UP_STEADY =
      ALL.flag("warmUp.steady", "whether reopens were steady when measuring began");

  /** Absent for an empty group. */
  public static final Figure<Double> WARM_UP_EARLIER =
      ALL.level(
          "warmUp.earlierMillis", Unit.MILLIS, "the median of the earlier group of its reopens");

  /** Likewise. */
  public static final Figure<Double> WARM_UP_LATER =
      ALL.level("warmUp.laterMillis", Unit.MILLIS, "the median of the later group");

  /** Mann-Whitney's test; absent when there were too few reopens to tell. */
  public static final Figure<Double> WARM_UP_CHANCE =
      ALL.level("warmUp.chance", Unit.SHARE, "how often steady reopens look so different or more");

  /** What measuring itself cost; absent where the JVM does not report it. */
  public static final Figure<Double> INSTRUMENT_CPU =
      ALL.seconds("instrument.cpuSeconds", "processor time of the measuring threads");

  /** The same in percent of one processor. */
  public static final Figure<Double> INSTRUMENT_CPU_PERCENT =
      ALL.level("instrument.cpuPercent", Unit.PERCENT, "the same, of one processor");

  /** Ten a second. */
  public static final Figure<Long> SAMPLES =
      ALL.count("instrument.samples", "lines of the arm in series.csv");

  /** What the instrument missed. */
  public static final Figure<Long> MISSED_SAMPLES =
      ALL.count("instrument.missedSamples", "how many more were due");

  /** A peak inside it went unseen. */
  public static final Figure<Double> LONGEST_GAP =
      ALL.level("instrument.longestGapMillis", Unit.MILLIS, "the longest gap between two samples");

  /** Dictionaries of ids in memory; only where the arm held some. */
  public static final Figure<Long> RESIDENT_BYTES =
      ALL.bytes("residentKeys.bytes", "key dictionaries in memory at the arm's end");

  /** The most at one time. */
  public static final Figure<Long> RESIDENT_PEAK =
      ALL.bytes("residentKeys.peakBytes", "the most that were held at one time");

  /** The bound. */
  public static final Figure<Long> RESIDENT_BOUND =
      ALL.bytes("residentKeys.maxBytes", "the most that may be held");

  /** How many segments had any. */
  public static final Figure<Long> RESIDENT_SEGMENTS =
      ALL.count("residentKeys.segments", "segments that had any at the arm's end");

  /** Two for each segment. */
  public static final Figure<Long> RESIDENT_LOADED =
      ALL.count("residentKeys.loadedFiles", "files held so far, two for each segment");

  /** Files for which there was no room. */
  public static final Figure<Long> RESIDENT_OVER_BOUND =
      ALL.count("residentKeys.overBound", "files left on the disk at the end for want of room");

  /** Files that could not be read into memory. */
  public static final Figure<Long> RESIDENT_FAULTS =
      ALL.count("residentKeys.faults", "files left on the disk after a fault");

  /** The page cache when the arm opened its index: the state that was asked for. */
  public static final Figure<String> CACHE_ASKED =
      ALL.words("cache.asked", "the requested state of the page cache");

  /** All files of the index. */
  public static final Figure<Long> INDEX_BYTES =
      ALL.bytes("cache.indexBytes", "all files of the index");

  /** Absent where it is unknown. */
  public static final Figure<Double> RESIDENT_SHARE =
      ALL.level("cache.residentShare", Unit.SHARE, "the part of the index in the page cache");

  /** Absent with {@code as-is}, false where it is unknown. */
  public static final Figure<Boolean> CACHE_AS_ASKED =
      ALL.flag("cache.asAsked", "whether the page cache was in the requested state");

  /** Why it was not, or why it is unknown. */
  public static final Figure<String> CACHE_REASON =
      ALL.words("cache.reason", "why it was not, or why that is unknown");

  /** Page faults that read a page; absent where the kernel does not report it. */
  public static final FigureBy<Phase, Long> MAJOR_FAULTS =
      FigureBy.of(
          Phase.MEASURED,
          "cache.phases.*.majorFaults",
          id -> ALL.count(id, "page faults of the arm's process that read from storage"));

  /** By page faults, read calls and read-ahead; likewise. */
  public static final FigureBy<Phase, Long> READ_BYTES =
      FigureBy.of(
          Phase.MEASURED,
          "cache.phases.*.readBytes",
          id -> ALL.bytes(id, "what the arm's process read from storage"));

  /** The same from the opening of the index to the end of the warm-up. */
  public static final Figure<Long> WARM_UP_MAJOR_FAULTS =
      ALL.count("cache.warmup.majorFaults", "the same until the end of the warm-up");

  /** Likewise. */
  public static final Figure<Long> WARM_UP_READ_BYTES =
      ALL.bytes("cache.warmup.readBytes", "the same until the end of the warm-up");

  /** Of the last commit that Lucene's CheckIndex found clean; absent unless it was asked to. */
  public static final Figure<Long> CHECKED_SEGMENTS =
      ALL.count("indexCheck.segments", "segments that CheckIndex found clean after a commit");

  /** Documents in them that are not deleted. */
  public static final Figure<Long> CHECKED_DOCUMENTS =
      ALL.count("indexCheck.documents", "documents in them that are not deleted");

  /** How long the check took. */
  public static final Figure<Double> CHECK_SECONDS =
      ALL.seconds("indexCheck.seconds", "how long the check took");

  private ArmFigures() {}

  private static FigureBy<Phase, LatencySummary> latency(String ids, String text) {
    return FigureBy.of(
        Phase.MEASURED, ids, id -> ALL.add(id, LatencySummary.class, Unit.MILLIS, SUMMARY, text));
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
