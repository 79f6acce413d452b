package io.weir.report.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SaturationsTest {

  private static List<Part> rounds(double... keptAndFailed) {
    List<Part> rounds = new ArrayList<>();
    for (int i = 0; i < keptAndFailed.length; i += 2) {
      rounds.add(round(i / 2 + 1, Status.DONE, end(keptAndFailed[i]), end(keptAndFailed[i + 1])));
    }
    return rounds;
  }

  /** 0 for none. */
  private static Optional<Double> end(double value) {
    return value == 0 ? Optional.empty() : Optional.of(value);
  }

  private static Part round(
      int number, Status status, Optional<Double> kept, Optional<Double> failed) {
    return new Part(
        Part.Kind.ARM,
        "arm",
        number,
        status,
        Map.of(),
        Values.builder().put(StepFigures.KEPT, kept).put(StepFigures.NOT_KEPT, failed).build(),
        status == Status.FAILED
            ? Optional.of(new Failure("it broke", Optional.empty(), List.of()))
            : Optional.empty(),
        List.of(),
        List.of(),
        List.of());
  }

  @Test
  void of_fewRounds_hasTheOuterEndsOfAll() {
    Saturations found = Saturations.of("arm", rounds(100, 110, 90, 98, 105, 115));

    assertEquals(Optional.of(90.0), found.low());
    assertEquals(Optional.of(115.0), found.high());
    assertTrue(
        found.sentence().startsWith("saturates at 105 requests/s, between 90 and 115 (3 rounds)"),
        found.sentence());
  }

  @Test
  void of_fiveRounds_hasAnIntervalOfTheMean() {
    Saturations found =
        Saturations.of("arm", rounds(100, 110, 90, 98, 105, 115, 99, 108, 101, 111));

    double low = found.low().orElseThrow();
    double high = found.high().orElseThrow();
    assertTrue(low > 85 && low < 98.9, found.toString()); // the mean of what rounds bore
    assertTrue(high > 108.3 && high < 120, found.toString()); // of what they did not
  }

  /** All that is known of such rounds is 200 to 400; that they agree makes it no narrower. */
  @Test
  void of_fiveRoundsThatAgree_isNoNarrowerThanEachOfThem() {
    Saturations found =
        Saturations.of("arm", rounds(200, 400, 200, 400, 200, 400, 200, 400, 200, 400));

    assertEquals(200, found.low().orElseThrow(), 1e-6);
    assertEquals(400, found.high().orElseThrow(), 1e-6);
    assertEquals(283, found.middle().orElseThrow(), 1);
  }

  @Test
  void of_aRoundThatDidNotEnd_isThatOfTheOthers() {
    for (Status status : new Status[] {Status.INTERRUPTED, Status.FAILED}) {
      List<Part> rounds = rounds(100, 110, 90, 98);
      rounds.add(round(3, status, end(12.5), Optional.empty()));

      Saturations found = Saturations.of("arm", rounds);

      assertTrue(found.sentence().endsWith("between 90 and 110 (2 of 3 rounds)"), found.sentence());
    }
    assertEquals(
        "sustained 12 requests/s and every lower load that was tried",
        Saturations.of("arm", List.of(round(1, Status.INTERRUPTED, end(12), Optional.empty())))
            .sentence());
  }

  /** A middle of what was tried is no measurement. */
  @Test
  void of_endsFarApart_namesNoLoad() {
    assertEquals(
        "saturates between 20 and 20000 requests/s: too far apart to name a load",
        Saturations.of("arm", rounds(20, 20_000)).sentence());
    assertEquals(
        "saturates between 20 and 20000 requests/s (2 rounds): too far apart to name a load",
        Saturations.of("arm", rounds(20, 20_000, 20, 20_000)).sentence());
  }

  @Test
  void of_aRoundWithoutAnEnd_hasNoneThere() {
    assertEquals(
        "sustained 100 requests/s and every lower load that was tried",
        Saturations.of("arm", rounds(100, 110, 120, 0)).sentence());
    assertEquals(
        "sustained no load that was tried; 12 requests/s was already too much",
        Saturations.of("arm", rounds(0, 12)).sentence());
    assertEquals("its saturation is not known", Saturations.of("arm", rounds(0, 0)).sentence());
  }
}
