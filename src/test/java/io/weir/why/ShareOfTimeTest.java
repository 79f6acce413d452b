package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.why.ShareOfTime.Change;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When two shares differ by more than chance. */
class ShareOfTimeTest {

  private static final double COUNTED = Double.POSITIVE_INFINITY;

  @ParameterizedTest
  @CsvSource({
    // share and looks before, share and looks now
    "0.71, 100, 0.03, 100, LESS",
    "0.03, 100, 0.71, 100, MORE",
    "0.50, 100, 0.40, 100, WITHIN_CHANCE",
    "0.50, 1000, 0.40, 1000, LESS",
    "0.00, 100, 0.00, 100, WITHIN_CHANCE",
    "1.00, 100, 1.00, 100, WITHIN_CHANCE",
    // as Fisher's exact test has them: 0.029, 0.1, 0.029, 0.12
    "0.00, 4, 1.00, 4, MORE",
    "0.00, 3, 1.00, 3, WITHIN_CHANCE",
    "0.00, 100, 0.06, 100, MORE",
    "0.00, 100, 0.04, 100, WITHIN_CHANCE",
    "0.00, 0, 1.00, 0, WITHIN_CHANCE",
  })
  void change_ofShares_needsMoreThanTwoStandardErrors(
      double before, double looksBefore, double now, double looksNow, Change expected) {
    assertEquals(
        expected,
        new ShareOfTime(before, looksBefore, COUNTED).to(new ShareOfTime(now, looksNow, COUNTED)));
  }

  @Test
  void change_ofAStateThatBeganSeldom_isNoneHoweverManyLooksThereWere() {
    assertEquals(
        Change.WITHIN_CHANCE,
        new ShareOfTime(0.6, 100_000, 4).to(new ShareOfTime(0.4, 100_000, 4)));
    assertEquals(
        Change.LESS, new ShareOfTime(0.6, 100_000, 400).to(new ShareOfTime(0.4, 100_000, 400)));
  }

  /**
   * The same state looked at twice, which comes and goes without a memory, fast, slowly, or hardly
   * ever in a look: at most one comparison in 20 may call that a change.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 4", "4, 1", "0.3, 0.1", "0.05, 2", "10, 10", "20, 5", "30, 30"})
  void change_ofOneState_isSeldomCalledOne(double secondsOn, double secondsOff) {
    Random random = new Random(7);
    int pairs = 2000;
    int called = 0;
    for (int i = 0; i < pairs; i++) {
      ShareOfTime first = look(random, secondsOn, secondsOff);
      called += first.to(look(random, secondsOn, secondsOff)) == Change.WITHIN_CHANCE ? 0 : 1;
    }
    assertTrue(called <= pairs / 20, called + " of " + pairs);
  }

  /** A minute of looks four times a second. */
  private static ShareOfTime look(Random random, double secondsOn, double secondsOff) {
    boolean on = random.nextDouble() < secondsOn / (secondsOn + secondsOff);
    double until = lasts(random, on ? secondsOn : secondsOff);
    int seen = 0;
    int runs = 0;
    boolean before = false;
    for (int i = 0; i < 240; i++) {
      for (double at = i * 0.25; until < at; until += lasts(random, on ? secondsOn : secondsOff)) {
        on = !on;
      }
      seen += on ? 1 : 0;
      runs += on && !before ? 1 : 0;
      before = on;
    }
    return new ShareOfTime(seen / 240.0, 240, runs);
  }

  private static double lasts(Random random, double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  @Test
  void share_thatIsNone_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ShareOfTime(1.1, 10, 10));
    assertThrows(IllegalArgumentException.class, () -> new ShareOfTime(Double.NaN, 10, 10));
  }
}
