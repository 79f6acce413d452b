package io.weir.stress.arm.load;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.LoadRate;
import java.io.IOException;
import java.util.List;

/**
 * The loads of an arm: reopens on one thread, as in an application, commits on one, searches and
 * perhaps updates on a few.
 *
 * @param search the operation of {@code searches}
 */
public record Load(
    OpenLoop reopens, OpenLoop searches, OpenLoop updates, OpenLoop commits, Searches search) {

  private static final int SEARCH_THREADS = 4;

  /**
   * What each load does.
   *
   * @param updatesAtOnce how many updates one call of {@code update} does
   */
  public record Operations(
      OpenLoop.Operation reopen,
      Searches search,
      OpenLoop.Operation update,
      int updatesAtOnce,
      OpenLoop.Operation commit) {}

  /**
   * The loads that {@code settings} ask for; without queries there are no searches.
   *
   * @param seed of the times of searches
   */
  public static Load of(ArmSettings settings, Timeline timeline, Operations operations, long seed) {
    TargetRate searches =
        TargetRate.perSecond(
            "searches",
            operations.search().isEmpty()
                ? LoadRate.NONE
                : settings.get(ArmSetting.SEARCHES_PER_SECOND));
    return new Load(
        even(
            TargetRate.perSecond("reopens", settings.get(ArmSetting.REOPENS_PER_SECOND)),
            timeline,
            operations.reopen()),
        new OpenLoop(
            searches,
            Schedule.poisson(searches, seed, timeline.firstNanos()),
            timeline,
            operations.search()),
        even(
            TargetRate.perSecond("updates", settings.get(ArmSetting.UPDATES_PER_SECOND))
                .inBulksOf(operations.updatesAtOnce()),
            timeline,
            operations.update()),
        even(
            TargetRate.perMinute("commits", settings.get(ArmSetting.COMMITS_PER_MINUTE)),
            timeline,
            operations.commit()),
        operations.search());
  }

  private static OpenLoop even(TargetRate rate, Timeline timeline, OpenLoop.Operation operation) {
    Schedule schedule = Schedule.even(rate, timeline.firstNanos());
    return new OpenLoop(rate, schedule, timeline, operation);
  }

  /**
   * Starts all of them.
   *
   * @param updateThreads how many updates may be in progress
   */
  public void start(int updateThreads) {
    reopens.start(1);
    updates.start(updateThreads);
    commits.start(1);
    searches.start(SEARCH_THREADS);
  }

  /** Waits until every operation that was due has run; the timeline must have an end. */
  public void finish() throws InterruptedException {
    for (OpenLoop loop : loops()) {
      loop.finish();
    }
  }

  /** Throws what ended one of them early, if anything did. */
  public void throwFailure() throws IOException {
    for (OpenLoop loop : loops()) {
      loop.throwFailure();
    }
  }

  /** What all of them achieved; after {@link #finish}. */
  public Values values() {
    Values.Builder values =
        Values.builder()
            .put(searches.values(ArmFigures.SEARCH))
            .put(updates.values(ArmFigures.UPDATE))
            .put(commits.values(ArmFigures.COMMIT))
            .put(hits());
    for (Phase phase : Phase.MEASURED) {
      values.put(ArmFigures.REOPEN, phase, reopens.latency().summary(phase));
      values.put(ArmFigures.REOPEN_SERVICE, phase, reopens.service().summary(phase));
    }
    return values.build();
  }

  /** What searches found; nothing when none were to run. */
  public Values hits() {
    return searches.rate().isAny() ? search.hits() : Values.NONE;
  }

  /** All four. */
  public List<OpenLoop> loops() {
    return List.of(reopens, searches, updates, commits);
  }
}
