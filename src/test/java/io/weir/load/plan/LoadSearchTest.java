package io.weir.load.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.load.plan.LoadSearch.Next;
import io.weir.load.plan.LoadSearch.Saturation;
import io.weir.load.plan.LoadSearch.Tried;
import io.weir.run.StepOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSearchTest {

  private static final Duration STEP = Duration.ofSeconds(10);

  /** A server that bears {@code most} requests per second. */
  private static DoubleFunction<StepOutcome> bears(double most) {
    return load -> load <= most ? StepOutcome.KEPT : StepOutcome.BEHIND;
  }

  private static List<Tried> tried(LoadSearch search, DoubleFunction<StepOutcome> server) {
    List<Tried> tried = new ArrayList<>();
    for (Next next = search.next(tried);
        next instanceof Next.Try(double load);
        next = search.next(tried)) {
      tried.add(new Tried(load, server.apply(load)));
      assertTrue(tried.size() < 60, tried.toString());
    }
    return tried;
  }

  private static Saturation found(LoadSearch search, List<Tried> tried) {
    return ((Next.Done) search.next(tried)).saturation();
  }

  private static List<Double> loads(List<Tried> tried) {
    return tried.stream().map(Tried::load).toList();
  }

  private static LoadSearch auto(double first) {
    return new LoadSearch(Loads.parse("auto:" + first), first, Loads.LEAST, Loads.MOST);
  }

  @Test
  void auto_doublesThenNarrows_andConfirmsEachFailure() {
    List<Tried> tried = tried(auto(10), bears(100));

    assertEquals(
        List.of(10.0, 20.0, 40.0, 80.0, 160.0, 160.0, 113.0, 113.0, 95.1, 104.0, 104.0),
        loads(tried));
    assertEquals(new Saturation(Optional.of(95.1), Optional.of(104.0)), found(auto(10), tried));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.35, 1, 3.3, 47, 512, 9_999, 60_000})
  void auto_anyServer_isFoundWithinTenPerCent(double most) {
    for (double first : new double[] {0.5, 10, 5000}) {
      Saturation found = found(auto(first), tried(auto(first), bears(most)));

      double kept = found.kept().orElseThrow();
      double failed = found.failed().orElseThrow();
      assertTrue(kept <= most && most < failed, found.toString());
      assertTrue(failed <= kept * 1.1, found.toString());
    }
  }

  @Test
  void auto_aServerThatBearsNothing_endsBelowTheLeast() {
    Saturation found = found(auto(1), tried(auto(1), load -> StepOutcome.ERRORS));

    assertEquals(Optional.empty(), found.kept());
    assertTrue(found.failed().orElseThrow() < 2 * Loads.LEAST, found.toString());
  }

  @Test
  void auto_aServerThatBearsAll_endsAtTheMost() {
    Saturation found = found(auto(1000), tried(auto(1000), load -> StepOutcome.KEPT));

    assertEquals(Optional.empty(), found.failed());
    assertTrue(found.kept().orElseThrow() > Loads.MOST / 2, found.toString());
  }

  /** One disturbance of the machine does not end a search. */
  @Test
  void auto_oneFailureOfALoadThatIsBorne_changesNothing() {
    LoadSearch search = auto(10);
    List<Tried> tried = new ArrayList<>();
    tried.add(new Tried(10, StepOutcome.KEPT));
    tried.add(new Tried(20, StepOutcome.OVER_LIMIT));

    assertEquals(new Next.Try(20), search.next(tried));
    tried.add(new Tried(20, StepOutcome.KEPT));
    assertEquals(new Next.Try(40), search.next(tried));
  }

  @Test
  void auto_aFullClient_endsWithoutAnUpperEnd() {
    List<Tried> tried = tried(auto(10), load -> load <= 40 ? StepOutcome.KEPT : StepOutcome.CLIENT);

    assertEquals(List.of(10.0, 20.0, 40.0, 80.0, 80.0), loads(tried));
    assertEquals(new Saturation(Optional.of(40.0), Optional.empty()), found(auto(10), tried));
  }

  /** Once, such a load was an upper end although the client had been full at its second trial. */
  @Test
  void auto_aServerAndAClientThatFailOnce_areTriedAThirdTime() {
    LoadSearch search = auto(40);
    List<Tried> tried = new ArrayList<>();
    tried.add(new Tried(40, StepOutcome.KEPT));
    tried.add(new Tried(80, StepOutcome.BEHIND));
    tried.add(new Tried(80, StepOutcome.CLIENT));

    assertEquals(new Next.Try(80), search.next(tried));
    tried.add(new Tried(80, StepOutcome.CLIENT));
    assertEquals(new Saturation(Optional.of(40.0), Optional.empty()), found(search, tried));
    assertEquals(found(search, tried), LoadSearch.ends(tried));
    tried.set(3, new Tried(80, StepOutcome.BEHIND));
    assertEquals(new Next.Try(56.6), search.next(tried));
  }

  @Test
  void auto_withoutAFirstLoad_beginsAtAnEighthOfTheWarmUp() {
    LoadSearch search = LoadSearch.of(Loads.parse("auto"), STEP, OptionalDouble.of(1600));

    assertEquals(new Next.Try(200), search.next(List.of()));
  }

  @Test
  void auto_withAShortStep_triesNoLoadOfLessThanTenRequests() {
    LoadSearch search =
        LoadSearch.of(Loads.parse("auto"), Duration.ofMillis(700), OptionalDouble.of(2));
    List<Tried> tried = tried(search, load -> StepOutcome.OVER_LIMIT);

    assertEquals(List.of(14.3, 14.3), loads(tried));
    assertEquals(new Saturation(Optional.empty(), Optional.of(14.3)), found(search, tried));
    assertEquals(
        List.of(20.0, 20.0, 14.3, 14.3),
        loads(
            tried(
                new LoadSearch(Loads.parse("auto:20"), 20, 14.3, Loads.MOST),
                load -> StepOutcome.OVER_LIMIT)));
  }

  @Test
  void auto_withALongStep_triesNoLoadOfMoreRequestsThanTheClientHolds() {
    LoadSearch search =
        LoadSearch.of(Loads.parse("auto"), Duration.ofHours(1), OptionalDouble.of(800));
    List<Tried> tried = tried(search, load -> StepOutcome.KEPT);

    assertEquals(List.of(100.0, 200.0, 400.0), loads(tried));
  }

  @Test
  void list_isTriedFromTheLeastOn_andEndsAtTheFirstThatFails() {
    LoadSearch search = LoadSearch.of(Loads.parse("400,50,100,200"), STEP, OptionalDouble.empty());
    List<Tried> tried = tried(search, bears(120));

    assertEquals(List.of(50.0, 100.0, 200.0, 200.0), loads(tried));
    assertEquals(new Saturation(Optional.of(100.0), Optional.of(200.0)), found(search, tried));
  }

  @Test
  void list_thatIsBorne_hasNoUpperEnd() {
    LoadSearch search = LoadSearch.of(Loads.parse("50,100"), STEP, OptionalDouble.empty());

    assertEquals(
        new Saturation(Optional.of(100.0), Optional.empty()),
        found(search, tried(search, bears(1000))));
  }
}
