package io.weir.benchmark.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedRatiosTest {

  @Test
  void median_evenAndOddCount_isTheMiddle() {
    assertEquals(3, PairedRatios.median(new double[] {9, 1, 3}));
    assertEquals(2, PairedRatios.median(new double[] {9, 1, 3, 1}));
  }

  @Test
  void of_sameRatioInEachPair_isSureWhateverThePairsDo() {
    PairedRatios ratios =
        PairedRatios.of(new double[] {2, 20, 200, 2000}, new double[] {1, 10, 100, 1000});

    assertEquals(new PairedRatios(2, 2, 2), ratios);
  }

  @Test
  void of_noiseAroundTwoPercent_findsThemAndNotNothing() {
    Random random = new Random(7);
    double[] ours = new double[40];
    double[] theirs = new double[40];
    for (int i = 0; i < ours.length; i++) {
      double machine = 1 + random.nextDouble(); // what hits both of a pair
      theirs[i] = machine;
      ours[i] = machine * (1.02 + 0.01 * random.nextGaussian());
    }
    PairedRatios ratios = PairedRatios.of(ours, theirs);

    assertTrue(ratios.low() > 1 && ratios.low() < 1.02, "" + ratios);
    assertTrue(ratios.high() > 1.02 && ratios.high() < 1.03, "" + ratios);
    assertTrue(ratios.low() <= ratios.median() && ratios.median() <= ratios.high(), "" + ratios);
  }
}
