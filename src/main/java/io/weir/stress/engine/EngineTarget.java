package io.weir.stress.engine;

import io.weir.nrt.ReopenCause;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.arm.Target;
import io.weir.stress.arm.load.Reopens.Reopen;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.engine.EngineArm.PluginReadings;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * An index in an engine, by its public interface. When a refresh returns, what was indexed before
 * is visible in every shard; its phases, and the cause of a slow one, are not visible from outside:
 * {@link PluginReadings} may add causes. Updates go in bulks.
 *
 * <p><b>Ownership:</b> closes nothing.
 */
final class EngineTarget implements Target {

  /** As many as applications send at once, unless they send fewer in a second. */
  private static final int USUAL_AT_ONCE = 10;

  /** An engine syncs its log for each bulk, so who updates more sends larger bulks, not more. */
  private static final int MOST_BULKS_PER_SECOND = 5;

  /**
   * A bulk is answered when the log is on the disk, which may take longer than the time to the next
   * one. If each waited for the one before, documents would wait for the client.
   */
  private static final int MOST_BULKS_IN_PROGRESS = 4;

  private static final Duration LOOK_FOR_MERGES_EVERY = Duration.ofMillis(100);
  private static final int QUIET_LOOKS = 3;

  private static final RunWarning NOTHING_CHOSEN =
      new RunWarning(
          "the large merge merged nothing",
          "the policy found nothing to merge, perhaps because earlier merges left nothing",
          "a new --index, a shorter --warmup and --before, or --merge forced");

  private final EngineIndex index;
  private final ArmSettings settings;
  private final DocumentVectors vectors;
  private final Timeline timeline;
  private final Duration slowOver;

  // Of the thread that refreshes, until it has ended.
  private final Map<Phase, Long> slow = new EnumMap<>(Phase.class);
  private final Map<Phase, Long> slowNanos = new EnumMap<>(Phase.class);

  private volatile Optional<RunWarning> warning = Optional.empty();

  /**
   * An index that no load runs against yet.
   *
   * @param vectors of queries
   * @param slowOver a refresh that takes longer from its real start is slow
   */
  EngineTarget(
      EngineIndex index,
      ArmSettings settings,
      DocumentVectors vectors,
      Timeline timeline,
      Duration slowOver) {
    this.index = index;
    this.settings = settings;
    this.vectors = vectors;
    this.timeline = timeline;
    this.slowOver = slowOver;
  }

  @Override
  public void refresh(Reopen reopen) throws IOException, InterruptedException {
    index.refresh();
    long endedNanos = timeline.nowNanos();
    reopen.visible(endedNanos);
    long tookNanos = endedNanos - reopen.startedNanos();
    if (tookNanos > slowOver.toNanos()) {
      Phase phase = timeline.phaseOf(reopen.dueNanos());
      slow.merge(phase, 1L, Long::sum);
      slowNanos.merge(phase, tookNanos, Long::sum);
    }
  }

  @Override
  public int updatesAtOnce() {
    return updatesAtOnce(settings.get(ArmSetting.UPDATES_PER_SECOND).mean());
  }

  /** How many updates a bulk has at that rate. */
  static int updatesAtOnce(double perSecond) {
    return perSecond < USUAL_AT_ONCE
        ? 1
        : (int) Math.max(USUAL_AT_ONCE, Math.ceil(perSecond / MOST_BULKS_PER_SECOND));
  }

  @Override
  public int updateThreads() {
    return MOST_BULKS_IN_PROGRESS;
  }

  @Override
  public void update(List<Updater.Update> updates, long dueNanos)
      throws IOException, InterruptedException {
    EngineIndex.Bulk bulk = index.bulk();
    updates.forEach(bulk::add);
    bulk.send();
  }

  /** With their source. */
  @Override
  public int search(SearchQuery query, long dueNanos) throws IOException, InterruptedException {
    return index.search(query, vectors, Searches.TOP);
  }

  @Override
  public void commit() throws IOException, InterruptedException {
    index.flush();
  }

  @Override
  public void merge() throws IOException, InterruptedException {
    switch (settings.get(ArmSetting.MERGE)) {
      case FORCED -> index.forceMerge();
      case NATURAL -> mergeNaturally(index.naturalMerges().orElseThrow());
      case NONE -> throw new IllegalStateException("nothing to merge");
    }
  }

  /**
   * Has the policy merge with few segments allowed.
   *
   * <p>That is over when no merge reads a segment that was there when it began: under load there
   * are always further merges. An engine starts the merges that wait for a thread one after the
   * other, so there must be none at three looks in a row: the end is seen 0.3 s late.
   */
  private void mergeNaturally(EngineIndex.NaturalMerges merges)
      throws IOException, InterruptedException {
    Set<EngineIndex.Segment> there = merges.segments();
    long before = merges.ended();
    merges.begin();
    for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
      timeline.clock().parkNanos(this, LOOK_FOR_MERGES_EVERY.toNanos());
      if (isMerging(merges, there)) {
        quiet = -1; // the looks begin anew
      }
    }
    if (merges.ended() == before) {
      warning = Optional.of(NOTHING_CHOSEN);
    }
  }

  private static boolean isMerging(EngineIndex.NaturalMerges merges, Set<EngineIndex.Segment> some)
      throws IOException, InterruptedException {
    Set<EngineIndex.Segment> now = merges.segments();
    return some.stream().map(EngineIndex.Segment::asMerging).anyMatch(now::contains);
  }

  /** Only the server could tell of merges and of its process. */
  @Override
  public void sample(Sampler.Line line) {}

  /** A server may have a group of its own. */
  @Override
  public boolean isOfThisGroup() {
    return false;
  }

  @Override
  public OptionalDouble mergeShare() {
    return OptionalDouble.empty();
  }

  @Override
  public String progress() {
    return "";
  }

  @Override
  public boolean hangsUp() {
    return true;
  }

  /** What must be known of its merge, once the load has ended. */
  Optional<RunWarning> warning() {
    return warning;
  }

  /** The refreshes that took long, of a cause that is not known; after the last one. */
  Values slowRefreshes() {
    Values.Builder values = Values.builder().put(ArmFigures.SLOW_THRESHOLD, slowOver.toMillis());
    for (Phase phase : Phase.MEASURED) {
      long refreshes = slow.getOrDefault(phase, 0L);
      double lostSeconds = slowNanos.getOrDefault(phase, 0L) / 1e9;
      ReopenCause unknown = ReopenCause.UNKNOWN;
      values
          .put(ArmFigures.SLOW_REOPENS, phase, refreshes)
          .put(ArmFigures.SLOW_LOST, phase, lostSeconds)
          .put(
              ArmFigures.SLOW_CAUSES,
              phase,
              new SlowCauses(
                  refreshes == 0
                      ? List.of()
                      : List.of(
                          new SlowCauses.Cause(
                              unknown.name().toLowerCase(Locale.ROOT),
                              unknown.label(),
                              lostSeconds,
                              1,
                              refreshes))));
    }
    return values.build();
  }
}
