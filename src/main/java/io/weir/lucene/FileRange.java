package io.weir.lucene;

/**
 * Consecutive bytes of a file.
 *
 * @param start the first byte
 * @param end the byte after the last; not before {@code start}
 */
public record FileRange(long start, long end) {

  /** Refuses what is no range. */
  public FileRange {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException(
          "a range must satisfy 0 <= start <= end: %d to %d".formatted(start, end));
    }
  }

  /** All of a file. */
  public static FileRange ofFile(long length) {
    return new FileRange(0, length);
  }

  /** The number of bytes. */
  public long length() {
    return end - start;
  }
}
