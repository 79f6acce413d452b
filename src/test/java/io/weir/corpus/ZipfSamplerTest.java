package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ZipfSamplerTest {

  private static final int DRAWS = 1_000_000;

  @Property(tries = 6)
  void rank_manyDraws_comeUpAsOneOverTheRank(
      @ForAll @IntRange(min = 1, max = 17) int rankBits, @ForAll long seed) {
    ZipfSampler sampler = new ZipfSampler(rankBits);
    long[] counts = counts(sampler, seed);
    double harmonic = 0;
    for (int rank = 1; rank <= sampler.ranks(); rank++) {
      harmonic += 1.0 / rank;
    }
    for (int rank = 1; rank <= Math.min(sampler.ranks(), 50); rank++) {
      double expected = DRAWS / (rank * harmonic);
      // Six standard deviations of a Poisson count: once in a billion by chance.
      assertEquals(expected, counts[rank - 1], 6 * Math.sqrt(expected), "rank " + rank);
    }
  }

  /** The tail too: the least-squares line through log frequency over log rank falls by 1. */
  @Property(tries = 3)
  void rank_manyDraws_haveARankFrequencySlopeOfMinusOne(@ForAll long seed) {
    long[] counts = counts(new ZipfSampler(17), seed);
    assertEquals(-1.0, slope(counts, 17), 0.02);
  }

  @Example
  void rank_extremesOfTheRandomNumber_areRanks() {
    ZipfSampler sampler = new ZipfSampler(3);
    for (long random : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      int rank = sampler.rank(random);
      assertEquals(Math.clamp(rank, 0, 7), rank);
    }
  }

  @Example
  void constructor_tooManyRanks_namesTheRule() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new ZipfSampler(21));
    assertEquals("rankBits must be from 1 to 20 bits: 21", e.getMessage());
  }

  /**
   * Over octaves of ranks (1, 2-3, 4-7, ...), so that the rare ranks are counted by the thousand.
   */
  static double slope(long[] countOfRank, int octaves) {
    double sumX = 0;
    double sumY = 0;
    double sumXx = 0;
    double sumXy = 0;
    for (int octave = 0; octave < octaves; octave++) {
      long count = 0;
      int first = 1 << octave;
      double harmonic = 0;
      for (int rank = first; rank < 2 * first && rank <= countOfRank.length; rank++) {
        count += countOfRank[rank - 1];
        harmonic += 1.0 / rank;
      }
      // The rank whose frequency is the octave's mean, if frequencies fall as 1/rank.
      double x = Math.log(first / harmonic);
      double y = Math.log((double) count / first);
      sumX += x;
      sumY += y;
      sumXx += x * x;
      sumXy += x * y;
    }
    return (octaves * sumXy - sumX * sumY) / (octaves * sumXx - sumX * sumX);
  }

  private static long[] counts(ZipfSampler sampler, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    long[] counts = new long[sampler.ranks()];
    for (int i = 0; i < DRAWS; i++) {
      counts[sampler.rank(random.next())]++;
    }
    return counts;
  }
}
