package io.weir.corpus;

/**
 * A stream of 64-bit numbers that is the same on every JVM, now and later.
 *
 * <p>The algorithm is SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014. {@code java.util.SplittableRandom} uses it too, but does not guarantee
 * to do so in future, and synthetic documents must never change.
 *
 * <p><b>Threads:</b> one.
 */
public final class SplitMix64 {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  /** The stream of a seed. */
  public SplitMix64(long seed) {
    this.state = seed;
  }

  /** The stream that belongs to a seed and an index, far from those of all other pairs. */
  public static SplitMix64 at(long seed, long index) {
    return new SplitMix64(mix(mix(seed + GOLDEN_GAMMA) + index * GOLDEN_GAMMA));
  }

  /** The next number; each of 64 bits is as likely. */
  public long next() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** A number from 0 to {@code bound} - 1, for bounds far below 2^32. */
  int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
