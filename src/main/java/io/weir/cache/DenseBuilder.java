package io.weir.cache;

import java.util.Optional;
import org.apache.lucene.search.Scorable;

/** Collects many documents into one bit for each of the segment. */
final class DenseBuilder implements DocsBuilder {

  private final Space space;
  private final Extent bits;
  private final int maxDoc;
  private boolean isOurs = true;
  private int count;

  private DenseBuilder(Space space, Extent bits, int maxDoc) {
    this.space = space;
    this.bits = bits;
    this.maxDoc = maxDoc;
    for (int position = 0; position < bits.bytes(); position += Long.BYTES) {
      bits.putLong(position, 0);
    }
  }

  /** With all of its memory; empty if there is too little. */
  static Optional<DocsBuilder> of(Space space, int maxDoc) {
    int words = ((maxDoc - 1) >>> 6) + 1;
    return space.take(words << 3).map(bits -> new DenseBuilder(space, bits, maxDoc));
  }

  @Override
  public void setScorer(Scorable scorer) {}

  @Override
  public void collect(int doc) {
    int position = doc >>> 6 << 3;
    bits.putLong(position, bits.longAt(position) | 1L << doc);
    count++;
  }

  @Override
  public CachedDocs build() {
    if (count == 0) {
      return CachedDocs.NONE;
    }
    isOurs = false;
    return new CachedDocs(bits, new CachedDocs.Form.Dense(maxDoc), count);
  }

  @Override
  public void close() {
    if (isOurs) {
      space.free(bits);
      isOurs = false;
    }
  }
}
