package io.weir.agent.process;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A version of Lucene, and whether the agent supports it.
 *
 * @param major such as 10
 * @param minor such as 5
 */
record LuceneVersion(int major, int minor) implements Comparable<LuceneVersion> {

  static final LuceneVersion OLDEST = new LuceneVersion(9, 12);
  static final LuceneVersion NEWEST = new LuceneVersion(10, 6);

  private static final Comparator<LuceneVersion> ORDER =
      Comparator.comparingInt(LuceneVersion::major).thenComparingInt(LuceneVersion::minor);

  /**
   * The version that {@code loader} has, by {@code org.apache.lucene.util.Version.LATEST}.
   *
   * @throws ReflectiveOperationException if that cannot be read
   */
  static LuceneVersion of(ClassLoader loader) throws ReflectiveOperationException {
    return parse(
        Class.forName("org.apache.lucene.util.Version", true, loader)
            .getField("LATEST")
            .get(null)
            .toString());
  }

  static LuceneVersion parse(String text) {
    List<Integer> parts = Arrays.stream(text.split("\\.")).map(Integer::valueOf).toList();
    return new LuceneVersion(parts.get(0), parts.get(1));
  }

  /** Whether it is in the supported range. */
  boolean isSupported() {
    return compareTo(OLDEST) >= 0 && compareTo(NEWEST) <= 0;
  }

  @Override
  public int compareTo(LuceneVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
