package io.weir.store.pages;

import io.weir.store.kernel.CachedPages;
import java.io.IOException;

/** Where readers will look in a file of the merged segment. */
@FunctionalInterface
public interface Forecast {

  /** Lucene reads the header and the footer of each file when it opens it. */
  int ENDS_BYTES = 64 << 10;

  /** Each run of bytes that they will not look for, from one place to another. */
  void unwanted(long from, long to, CachedPages.Run each) throws IOException;

  /** Where they will look by this one or another. */
  default Forecast or(Forecast other) {
    return (from, to, each) ->
        unwanted(from, to, (at, bytes) -> other.unwanted(at, at + bytes, each));
  }

  /** They will look nowhere, but Lucene reads the beginning when it opens the file. */
  static Forecast ofNothing() {
    return (from, to, each) -> {
      long begin = Math.max(from, ENDS_BYTES);
      if (begin < to) {
        each.of(begin, to - begin);
      }
    };
  }

  /** Each run of bytes that they will look for, from one place to another. */
  default void wanted(long from, long to, CachedPages.Run each) throws IOException {
    long[] at = {from};
    unwanted(
        from,
        to,
        (offset, bytes) -> {
          if (offset > at[0]) {
            each.of(at[0], offset - at[0]);
          }
          at[0] = offset + bytes;
        });
    if (at[0] < to) {
      each.of(at[0], to - at[0]);
    }
  }
}
