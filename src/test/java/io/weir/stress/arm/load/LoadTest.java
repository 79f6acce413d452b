package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What settings make of the four loads, which arms of Lucene and of engines share. */
class LoadTest {

  private static final long SECOND = 1_000_000_000;

  private final Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(2));
  private final Collection<Long> reopens = new ConcurrentLinkedQueue<>();
  private final Collection<Long> searches = new ConcurrentLinkedQueue<>();
  private final Collection<Long> updates = new ConcurrentLinkedQueue<>();
  private final Collection<Long> commits = new ConcurrentLinkedQueue<>();

  @Test
  void of_levelsInTurn_eachLoadFollowsItsOwn() throws Exception {
    ArmSettings settings =
        ArmSettings.DEFAULT
            .withText(ArmSetting.REOPENS_PER_SECOND, "1,2/2s")
            .withText(ArmSetting.SEARCHES_PER_SECOND, "0,50/2s")
            .withText(ArmSetting.UPDATES_PER_SECOND, "10,20/2s")
            .withText(ArmSetting.COMMITS_PER_MINUTE, "60,0/3s");

    Load load = run(settings, false);

    assertEquals(List.of(-1000L, 0L, 500L, 1000L, 1500L, 2000L, 3000L), millis(reopens));
    assertEquals(
        List.of(-1000L, 0L, 500L, 1000L, 1500L, 2000L, 3000L), millis(updates), "bulks of ten");
    assertEquals(List.of(-1000L, 0L, 1000L), millis(commits));
    List<Long> expected = new ArrayList<>();
    Schedule schedule =
        Schedule.poisson(
            TargetRate.perSecond("searches", settings.get(ArmSetting.SEARCHES_PER_SECOND)),
            9,
            -2 * SECOND);
    for (long due = schedule.nextNanos(); due < 4 * SECOND; due = schedule.nextNanos()) {
      expected.add(due / 1_000_000);
    }
    assertEquals(expected, millis(searches));
    assertEquals(0, searches.stream().filter(due -> due < 0 || due > 2 * SECOND).count());
    assertEquals(load.searches().finished(), searches.size());
  }

  @Test
  void of_noQueries_hasNoSearches() throws Exception {
    Load load = run(ArmSettings.DEFAULT, true);

    assertEquals(List.of(), millis(searches));
    assertEquals(Values.NONE, load.hits());
    assertEquals(24, reopens.size() + 1, "four a second for 6 s, and none at the end");
  }

  private Load run(ArmSettings settings, boolean noQueries) throws Exception {
    timeline.endAt(4 * SECOND);
    Load load =
        Load.of(
            settings,
            timeline,
            new Load.Operations(
                (due, started) -> reopens.add(due),
                new Searches(
                    noQueries ? List.of() : List.of(SearchQuery.term("any")),
                    timeline,
                    (query, due) -> {
                      searches.add(due);
                      return 1;
                    }),
                (due, started) -> updates.add(due),
                10,
                (due, started) -> commits.add(due)),
            9);
    load.start(1);
    load.finish();
    load.throwFailure();
    return load;
  }

  private static List<Long> millis(Collection<Long> nanos) {
    return nanos.stream().sorted().map(due -> due / 1_000_000).toList();
  }
}
