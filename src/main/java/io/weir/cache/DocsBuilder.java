package io.weir.cache;

import org.apache.lucene.search.LeafCollector;

/**
 * Collects the documents of a segment into memory of a {@link Space}.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #build} gives the memory away; otherwise {@link
 * #close} frees it. <b>Failure:</b> without memory, {@code collect} and {@code build} throw {@link
 * org.apache.lucene.search.CollectionTerminatedException}.
 */
interface DocsBuilder extends LeafCollector, AutoCloseable {

  /** The set of what was collected. */
  CachedDocs build();

  @Override
  void close();
}
