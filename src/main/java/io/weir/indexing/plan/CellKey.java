package io.weir.indexing.plan;

import io.weir.option.HumanBytes;
import io.weir.run.CellFigures;
import io.weir.run.Part;
import io.weir.run.Values;

/**
 * The place of a cell in the matrix.
 *
 * @param arm its name
 * @param threads that index
 * @param ramBufferBytes what the writer buffers before it flushes
 */
public record CellKey(String arm, int threads, long ramBufferBytes) {

  private static final long MEGABYTE = 1_000_000;
  private static final long GIGABYTE = 1_000_000_000;

  /** The place of a cell that has run. */
  public static CellKey of(Part cell) {
    return new CellKey(
        cell.require(CellFigures.ARM),
        Math.toIntExact(cell.require(CellFigures.THREADS)),
        cell.require(CellFigures.RAM_BUFFER));
  }

  /** The same as figures. */
  public Values values() {
    return Values.builder()
        .put(CellFigures.ARM, arm)
        .put(CellFigures.THREADS, (long) threads)
        .put(CellFigures.RAM_BUFFER, ramBufferBytes)
        .build();
  }

  /** In a few words: {@code stock, 2 threads, 64MB}. */
  public String title() {
    return "%s, %s, %s".formatted(arm, threadsText(), ramBufferText());
  }

  /** {@code 1 thread}, {@code 2 threads}. */
  public String threadsText() {
    return threads + (threads == 1 ? " thread" : " threads");
  }

  /** {@code 64MB}, {@code 1GB} or {@code 64MiB}: as people write it. */
  public String ramBufferText() {
    return sizeText(ramBufferBytes);
  }

  /** A size as people write it. */
  public static String sizeText(long bytes) {
    if (bytes % GIGABYTE == 0) {
      return bytes / GIGABYTE + "GB";
    }
    return bytes % MEGABYTE == 0 ? bytes / MEGABYTE + "MB" : HumanBytes.print(bytes);
  }
}
