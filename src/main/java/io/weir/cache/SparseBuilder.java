package io.weir.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Scorable;

/**
 * Collects few documents into blocks of 65,536, each in the {@link SparseBlock.Kind} that is
 * smallest. A directory at the end has a {@link SparseBlock} for each block that is not empty.
 *
 * <p>Memory is taken page by page.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #build} gives the memory away; otherwise {@link
 * #close} frees it. <b>Failure:</b> without memory it ends the collection by {@link
 * CollectionTerminatedException}.
 *
 * <p>Source: the idea is that of Lucene's {@code RoaringDocIdSet}.
 */
final class SparseBuilder implements DocsBuilder {

  private static final int MOST_IN_ARRAY = 4096;

  private final Space space;
  private final List<Extent> pages = new ArrayList<>();
  private final short[] array = new short[MOST_IN_ARRAY];
  private long[] bits = {}; // of a block with more than the array holds
  private long[] directory = new long[16];
  private int blocks;
  private int position;
  private int block;
  private int cardinality; // of the block
  private int first;
  private int last;
  private int count;

  SparseBuilder(Space space) {
    this.space = space;
  }

  @Override
  public void setScorer(Scorable scorer) {}

  @Override
  public void collect(int doc) {
    if (doc >>> SparseBlock.SHIFT != block) {
      endBlock();
      block = doc >>> SparseBlock.SHIFT;
    }
    last = doc & SparseBlock.MASK;
    if (cardinality == 0) {
      first = last;
    }
    if (cardinality < MOST_IN_ARRAY) {
      array[cardinality] = (short) last;
    } else {
      if (cardinality == MOST_IN_ARRAY) {
        bits = new long[SparseBlock.DOCS / Long.SIZE];
        for (short earlier : array) {
          setBit(earlier & SparseBlock.MASK);
        }
      }
      setBit(last);
    }
    cardinality++;
  }

  @Override
  public CachedDocs build() {
    endBlock();
    if (count == 0) {
      return CachedDocs.NONE;
    }
    alignToLong();
    int start = position;
    for (int i = 0; i < blocks; i++) {
      putLong(directory[i]);
    }
    shrinkLast();
    CachedDocs docs =
        new CachedDocs(Extent.join(pages), new CachedDocs.Form.Sparse(blocks, start), count);
    pages.clear();
    return docs;
  }

  /** Moves what is on the last page to a cell, if one suffices and there is one. */
  private void shrinkLast() {
    int rest = position - (pages.size() - 1) * PagePool.PAGE_BYTES;
    if (PagePool.roundUp(rest) < PagePool.PAGE_BYTES) {
      space.take(rest).ifPresent(cell -> replaceLast(cell, rest));
    }
  }

  private void replaceLast(Extent cell, int bytes) {
    Extent page = pages.removeLast();
    for (int i = 0; i < bytes; i += Long.BYTES) {
      cell.putLong(i, page.longAt(i));
    }
    space.free(page);
    pages.add(cell);
  }

  @Override
  public void close() {
    pages.forEach(space::free);
    pages.clear();
  }

  private void setBit(int low) {
    bits[low >>> 6] |= 1L << low;
  }

  private void endBlock() {
    if (cardinality == 0) {
      return;
    }
    int absent = last + 1 - cardinality; // before the last
    if (last - first + 1 == cardinality) {
      begin(SparseBlock.Kind.RANGE, 2);
      putShort(first);
      putShort(last);
    } else if (cardinality <= MOST_IN_ARRAY) {
      begin(SparseBlock.Kind.ARRAY, cardinality);
      for (int i = 0; i < cardinality; i++) {
        putShort(array[i]);
      }
    } else if (absent + 1 < (last + 1) / Short.SIZE) { // shorter than the bits
      begin(SparseBlock.Kind.INVERTED, absent + 1);
      putShort(last);
      putAbsent();
    } else {
      alignToLong();
      begin(SparseBlock.Kind.BITS, (last >>> 6) + 1);
      for (int word = 0; word <= last >>> 6; word++) {
        putLong(bits[word]);
      }
    }
    count += cardinality;
    cardinality = 0;
  }

  private void begin(SparseBlock.Kind kind, int size) {
    if (blocks == directory.length) {
      directory = Arrays.copyOf(directory, 2 * blocks);
    }
    directory[blocks++] = new SparseBlock(block, kind, size, position).line();
  }

  private void putAbsent() {
    for (int low = 0; low < last; low++) {
      if ((bits[low >>> 6] & 1L << low) == 0) {
        putShort(low);
      }
    }
  }

  /** Skips what is not a multiple of eight bytes. */
  private void alignToLong() {
    position = (position + Long.BYTES - 1) & -Long.BYTES;
  }

  private void putShort(int value) {
    page().putShort(position & (PagePool.PAGE_BYTES - 1), value);
    position += Short.BYTES;
  }

  private void putLong(long value) {
    page().putLong(position & (PagePool.PAGE_BYTES - 1), value);
    position += Long.BYTES;
  }

  private Extent page() {
    if (position == pages.size() * PagePool.PAGE_BYTES) {
      pages.add(space.take(PagePool.PAGE_BYTES).orElseThrow(CollectionTerminatedException::new));
    }
    return pages.getLast();
  }
}
