package io.weir.stress.arm.load;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.result.SearchHits;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.util.List;
import org.apache.lucene.index.IndexWriter;

/**
 * The loads of an arm: reopens on one thread, as applications do, updates and commits on one each,
 * searches on a few.
 *
 * @param search what {@code searches} does
 */
public record Load(
    OpenLoop reopens, OpenLoop searches, OpenLoop updates, OpenLoop commits, SearchLoad search) {

  private static final int SEARCH_THREADS = 4;

  /**
   * The loads that {@code settings} ask for.
   *
   * @param warmUp gets to know the reopens
   * @param queries to search for; with none there are no searches
   * @param seed of the times of searches
   */
  public static Load of(
      ArmSettings settings,
      Timeline timeline,
      IndexWriter writer,
      Reopener reopener,
      WarmUp warmUp,
      Updater updater,
      List<SearchQuery> queries,
      long seed) {
    double searchesPerSecond = queries.isEmpty() ? 0 : settings.get(ArmSetting.SEARCHES_PER_SECOND);
    SearchLoad search = new SearchLoad(reopener.searchers(), queries);
    return new Load(
        steady(
            AskedRate.perSecond("reopens", settings.get(ArmSetting.REOPENS_PER_SECOND)),
            timeline,
            warmUp.watching(reopener)),
        new OpenLoop(
            AskedRate.perSecond("searches", searchesPerSecond),
            Schedule.poisson(searchesPerSecond, seed, timeline.firstNanos()),
            timeline,
            search),
        steady(
            AskedRate.perSecond("updates", settings.get(ArmSetting.UPDATES_PER_SECOND)),
            timeline,
            updater),
        steady(
            AskedRate.perMinute("commits", settings.get(ArmSetting.COMMITS_PER_MINUTE)),
            timeline,
            (due, started) -> writer.commit()),
        search);
  }

  private static OpenLoop steady(AskedRate rate, Timeline timeline, OpenLoop.Operation operation) {
    Schedule schedule = Schedule.steady(rate.perSecond(), timeline.firstNanos());
    return new OpenLoop(rate, schedule, timeline, operation);
  }

  public void start() {
    reopens.start(1);
    updates.start(1);
    commits.start(1);
    searches.start(SEARCH_THREADS);
  }

  /** Waits until all that was due has been done; the timeline must have an end. */
  public void finish() throws InterruptedException {
    for (OpenLoop loop : loops()) {
      loop.finish();
    }
  }

  public void throwFailure() {
    loops().forEach(OpenLoop::throwFailure);
  }

  /** What searches found; null when none were asked for. */
  public SearchHits searchHits() {
    return searches.rate().isAny() ? search.hits() : null;
  }

  public List<OpenLoop> loops() {
    return List.of(reopens, searches, updates, commits);
  }
}
