package io.weir.corpus;

import java.util.Arrays;

/**
 * Draws ranks by Zipf's law: rank r, counted from 1, comes up in proportion to 1/r, as words do in
 * natural text (G. K. Zipf, "Human Behavior and the Principle of Least Effort", 1949).
 *
 * <p>A draw takes one look into one table, whatever the number of ranks: the alias method of A. J.
 * Walker (1977), its table built as M. D. Vose describes ("A Linear Algorithm for Generating Random
 * Numbers with a Given Distribution", 1991). Weights are plain divisions and sums, exact to the bit
 * on every JVM by IEEE 754.
 *
 * <p><b>Threads:</b> any; immutable.
 */
final class ZipfSampler {

  /** The bits of a random number that one draw looks at lie at its two ends; these remain free. */
  static final int FIRST_FREE_BIT = 40;

  private static final int COIN_BITS = FIRST_FREE_BIT;
  private static final long COIN_MASK = (1L << COIN_BITS) - 1;

  private final int rankBits;
  private final int rankMask;

  /** For each rank the coin below which it is drawn, and the rank that is drawn otherwise. */
  private final long[] coinAndAlias;

  /** Over 2^{@code rankBits} ranks. */
  ZipfSampler(int rankBits) {
    if (rankBits < 1 || rankBits > 20) {
      throw new IllegalArgumentException("rankBits must be from 1 to 20 bits: " + rankBits);
    }
    this.rankBits = rankBits;
    this.rankMask = (1 << rankBits) - 1;
    this.coinAndAlias = build(1 << rankBits);
  }

  /** How many ranks there are. */
  int ranks() {
    return coinAndAlias.length;
  }

  /** The rank, counted from 0, that a uniform 64-bit number falls on. */
  int rank(long random) {
    int column = (int) (random >>> (Long.SIZE - rankBits));
    long entry = coinAndAlias[column];
    return (random & COIN_MASK) < entry >>> rankBits ? column : (int) entry & rankMask;
  }

  private long[] build(int ranks) {
    double total = 0;
    for (int rank = ranks; rank >= 1; rank--) {
      total += 1.0 / rank;
    }
    // How full each column is: 1 on average, more for the first ranks, less for the many others.
    double[] fill = new double[ranks];
    int[] poor = new int[ranks];
    int[] rich = new int[ranks];
    int poorCount = 0;
    int richCount = 0;
    for (int rank = 0; rank < ranks; rank++) {
      fill[rank] = ranks / (total * (rank + 1));
      if (fill[rank] < 1) {
        poor[poorCount++] = rank;
      } else {
        rich[richCount++] = rank;
      }
    }
    // Columns that rounding leaves over are full: their own rank, whatever the coin.
    long[] table = new long[ranks];
    Arrays.setAll(table, rank -> (COIN_MASK + 1) << rankBits | rank);
    while (poorCount > 0 && richCount > 0) {
      int taker = poor[--poorCount];
      int giver = rich[--richCount];
      table[taker] = (long) (fill[taker] * (COIN_MASK + 1)) << rankBits | giver;
      fill[giver] -= 1 - fill[taker];
      if (fill[giver] < 1) {
        poor[poorCount++] = giver;
      } else {
        rich[richCount++] = giver;
      }
    }
    return table;
  }
}
