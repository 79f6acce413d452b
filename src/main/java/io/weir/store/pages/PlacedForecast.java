package io.weir.store.pages;

import io.weir.store.kernel.CachedPages;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Readers will look as they looked into the files that the merge made the file of. */
final class PlacedForecast implements Forecast {

  /** What is kept or dropped as one. */
  static final int STEP_BYTES = 256 << 10;

  /** The same in files by document, where places are known better: as much as one fault maps. */
  static final int DOCUMENTS_STEP_BYTES = 64 << 10;

  /** Of a longer file, the steps are longer. */
  static final int MAX_STEPS = 1 << 16;

  /**
   * What readers used of a file.
   *
   * @param weight bytes to keep for each of these
   * @param places where the merge copies it to
   */
  record Used(CachedPages pages, double weight, CopiedPlaces places) {

    /** The length of what the merge makes of it. */
    double merged() {
      return places.mergedBytes();
    }
  }

  /** Differences of less than this between two steps are chance. */
  private static final double PRECISION_BYTES = 4096;

  private final long stepBytes;
  private final boolean[] kept;

  PlacedForecast(List<Used> inputs, boolean byDocument) {
    this(inputs, byDocument, Long.MAX_VALUE);
  }

  PlacedForecast(List<Used> inputs, boolean byDocument, long mostBytes) {
    double bytes = Math.max(1, inputs.stream().mapToDouble(Used::merged).sum());
    int least = byDocument ? DOCUMENTS_STEP_BYTES : STEP_BYTES;
    int steps = (int) Math.clamp(Math.ceil(bytes / least), 1, MAX_STEPS);
    stepBytes = Math.max(least, (long) Math.ceil(bytes / steps / 4096) * 4096);
    double[] used = new double[steps];
    for (int step = 0; step < steps; step++) {
      double from = (double) step * stepBytes;
      double to = from + stepBytes;
      used[step] = byDocument ? chained(inputs, from, to) : laid(inputs, from / bytes, to / bytes);
    }
    kept = new boolean[steps];
    double wantedBytes = inputs.stream().mapToDouble(PlacedForecast::keptFor).sum();
    double wanted = Math.min(wantedBytes, mostBytes) / stepBytes;
    // Of equal steps it takes some everywhere, not the first ones.
    IntStream.range(0, steps)
        .filter(step -> used[step] > 0)
        .boxed()
        .sorted(
            Comparator.comparingDouble((Integer step) -> -Math.round(used[step] / PRECISION_BYTES))
                .thenComparingInt(Integer::reverse))
        .limit(Math.round(wanted))
        .forEach(step -> kept[step] = true);
  }

  private static double keptFor(Used input) {
    return input.pages().bytes() * input.weight() * input.merged() / input.pages().length();
  }

  /** Used bytes where the inputs follow one another. */
  private static double chained(List<Used> inputs, double from, double to) {
    double sum = 0;
    double before = 0;
    for (Used input : inputs) {
      double merged = input.merged();
      if (before < to && before + merged > from) {
        CopiedPlaces places = input.places();
        sum += used(input, places.shareAt(from - before), places.shareAt(to - before));
      }
      before += merged;
    }
    return sum;
  }

  /** Used bytes at the same relative place of all inputs. */
  private static double laid(List<Used> inputs, double from, double to) {
    double sum = 0;
    for (Used input : inputs) {
      sum += used(input, from, to);
    }
    return sum;
  }

  private static double used(Used input, double from, double to) {
    CachedPages pages = input.pages();
    long begin = pages.offset() + (long) (Math.clamp(from, 0, 1) * pages.length());
    long end = pages.offset() + (long) (Math.clamp(to, 0, 1) * pages.length());
    return end > begin ? pages.bytes(begin, end) * input.weight() : 0;
  }

  @Override
  public void unwanted(long from, long to, CachedPages.Run each) throws IOException {
    for (long at = Math.max(from, Forecast.ENDS_BYTES); at < to; ) {
      long begin = at;
      boolean keep = isKept(at);
      do {
        at = Math.min(to, (at / stepBytes + 1) * stepBytes);
      } while (at < to && isKept(at) == keep);
      if (!keep) {
        each.of(begin, at - begin);
      }
    }
  }

  private boolean isKept(long offset) {
    return kept[(int) Math.min(offset / stepBytes, kept.length - 1)];
  }
}
