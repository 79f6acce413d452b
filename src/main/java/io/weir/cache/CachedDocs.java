package io.weir.cache;

import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.IOSupplier;

/**
 * The documents of one segment that match one query, deleted ones included.
 *
 * <p>Lucene does not report when a search stops using an iterator, so a reference count could not
 * show when memory is no longer read. Instead the reader checks, as with the optimistic reads of a
 * {@link java.util.concurrent.locks.StampedLock}: it reads, and then asks {@link #isIntact}. If the
 * set was evicted, its memory may hold another set by now, and what was read is ignored. The memory
 * itself is always there: slabs are not unmapped.
 *
 * <p><b>Threads:</b> any.
 */
final class CachedDocs {

  /** Which form the memory has. */
  sealed interface Form {

    /** One bit for each document of the segment. */
    record Dense(int maxDoc) implements Form {}

    /**
     * Blocks of 65,536 documents, without empty ones; see {@link SparseBuilder}.
     *
     * @param blocks how many
     * @param directory the position of their directory
     */
    record Sparse(int blocks, int directory) implements Form {}
  }

  /** Of a query that matches nothing. */
  static final CachedDocs NONE = new CachedDocs();

  /** About what an object of each class here takes, with its entry in a map. */
  private static final long HEAP_BYTES = 200;

  private final Optional<Extent> extent;
  private final Optional<Form> form;
  private final int count;
  private volatile boolean evicted;

  private CachedDocs() {
    this.extent = Optional.empty();
    this.form = Optional.empty();
    this.count = 0;
  }

  CachedDocs(Extent extent, Form form, int count) {
    this.extent = Optional.of(extent);
    this.form = Optional.of(form);
    this.count = count;
  }

  /** The memory; none if there are no documents. */
  Optional<Extent> extent() {
    return extent;
  }

  /** The number of documents. */
  int count() {
    return count;
  }

  /** What it takes outside the heap. */
  long bytes() {
    return extent.map(Extent::takenBytes).orElse(0L);
  }

  long heapBytes() {
    return HEAP_BYTES + extent.map(e -> (long) Integer.BYTES * e.pieces()).orElse(0L);
  }

  /** Whether everything that this thread has read of the memory until now was of this set. */
  boolean isIntact() {
    VarHandle.acquireFence(); // what was read before is not read again after
    return !evicted;
  }

  /** To be called before the memory is freed. */
  void evict() {
    evicted = true;
    VarHandle.fullFence(); // before anything is written there
  }

  /**
   * The documents in order.
   *
   * @param index continues if the set is evicted
   * @throws IllegalStateException if there are no documents
   */
  CachedIterator iterator(IOSupplier<DocIdSetIterator> index) {
    Extent memory = extent.orElseThrow(() -> new IllegalStateException("no documents"));
    return switch (form.orElseThrow()) {
      case Form.Dense dense -> new DenseIterator(this, memory, dense.maxDoc(), index);
      case Form.Sparse sparse -> new SparseIterator(this, memory, sparse, index);
    };
  }
}
