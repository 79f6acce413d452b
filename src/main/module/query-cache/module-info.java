/**
 * A query cache for Lucene whose sets of documents are outside the heap.
 *
 * <p>It needs lucene-core and Weir's library, and nothing else.
 */
module io.weir.cache {
  requires transitive io.weir;
  requires transitive org.apache.lucene.core;
  requires jdk.management;

  exports io.weir.cache;
}
