package io.weir.cache;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.IOSupplier;

/**
 * Iterates over a cached set, and over the index itself from the moment when the set is evicted.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> that of the index, and only after an eviction.
 */
abstract class CachedIterator extends DocIdSetIterator {

  private final CachedDocs docs;
  private final IOSupplier<DocIdSetIterator> index;
  private DocIdSetIterator uncached; // null while the set is intact
  private int doc = -1;

  /**
   * @param index the same documents, without the cache
   */
  CachedIterator(CachedDocs docs, IOSupplier<DocIdSetIterator> index) {
    this.docs = docs;
    this.index = index;
  }

  /**
   * The first document from {@code target} on, or {@link #NO_MORE_DOCS}. If the set is not intact,
   * any number; never an exception or an endless loop.
   */
  abstract int find(int target);

  /** Whether what was read of the set until now is true. */
  final boolean isIntact() {
    return docs.isIntact();
  }

  /** Whether the set, and not the index, is read. */
  final boolean isCached() {
    return uncached == null;
  }

  @Override
  public final int docID() {
    return doc;
  }

  @Override
  public final int nextDoc() throws IOException {
    return advance(doc + 1);
  }

  @Override
  public final int advance(int target) throws IOException {
    if (target == NO_MORE_DOCS) {
      doc = NO_MORE_DOCS;
      return doc;
    }
    if (uncached == null) {
      int found = find(target);
      if (docs.isIntact()) {
        doc = found;
        return doc;
      }
      uncached = index.get();
    }
    doc = uncached.advance(target);
    return doc;
  }

  @Override
  public final long cost() {
    return docs.count();
  }
}
