package io.weir.cache;

import java.util.function.Predicate;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;

/**
 * Segments that are worth a set of their own: at least 10,000 documents, and more than half of the
 * mean of the index. Smaller ones are merged soon, and searching them is fast.
 *
 * <p>Source: Lucene 10.5.1, the default of {@code LRUQueryCache}.
 */
final class LargeSegments implements Predicate<LeafReaderContext> {

  private static final int LEAST_DOCS = 10_000;

  @Override
  public boolean test(LeafReaderContext segment) {
    int docs = segment.reader().maxDoc();
    IndexReaderContext index = ReaderUtil.getTopLevelContext(segment);
    return docs >= LEAST_DOCS && docs > index.reader().maxDoc() / index.leaves().size() / 2.0;
  }
}
