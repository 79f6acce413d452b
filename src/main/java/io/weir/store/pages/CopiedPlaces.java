package io.weir.store.pages;

import java.util.Arrays;

/**
 * Where a merge has copied a file of its input to: places in it, and those in the merged file that
 * the merge had come to when it went on from there. Between two of them it is taken for even.
 *
 * <p>Deleted documents are not copied, and what is compressed anew has another length. Over a file
 * of some hundred MB that comes to more than what a reader uses of it at once.
 *
 * <p><b>Threads:</b> that of the merge. All figures are in bytes.
 */
final class CopiedPlaces {

  private final long length;
  private long[] from = new long[8]; // ascending
  private double[] to = new double[8]; // ascending, from the beginning of the merged file
  private int count;
  private boolean inOrder = true;

  /** Of a file of so many bytes that was not copied yet. */
  CopiedPlaces(long length) {
    this.length = length;
  }

  /** As if a share of the file was copied, and what was not is evenly spread. */
  static CopiedPlaces evenly(long length, double share) {
    CopiedPlaces places = new CopiedPlaces(length);
    places.put(0, 0);
    places.put(length, length * share);
    return places;
  }

  /** Not before the merge has begun with it, nor if it went on with it after it had ended. */
  boolean isKnown() {
    return count > 0 && inOrder;
  }

  /** The merge goes on with this place, and has written so much. */
  void add(long place, long mergedBytes) {
    inOrder &= count == 0 || from[count - 1] < length; // unlike with an index sort
    if (count == 0 && place > 0) {
      put(0, mergedBytes); // it began before the first place that is known
    }
    if (count == 0 || place > from[count - 1]) {
      put(place, mergedBytes);
    }
  }

  /** The merge has copied all of it, if it had begun, and has written so much since. */
  void end(long mergedBytes) {
    if (count > 0 && from[count - 1] < length) {
      put(length, mergedBytes);
    }
  }

  private void put(long place, double merged) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    from[count] = place;
    to[count++] = merged;
  }

  /** The length of what was made of it. */
  double mergedBytes() {
    return to[count - 1] - to[0];
  }

  /**
   * The share of the file that lies before what was copied to this place.
   *
   * @param merged from the beginning of what was made of the file
   */
  double shareAt(double merged) {
    double place = Math.clamp(to[0] + merged, to[0], to[count - 1]);
    int after = Arrays.binarySearch(to, 0, count, place);
    if (after >= 0) {
      return (double) from[after] / length;
    }
    int next = -after - 1;
    double within = (place - to[next - 1]) / (to[next] - to[next - 1]);
    return (from[next - 1] + within * (from[next] - from[next - 1])) / length;
  }
}
