package io.weir.cache;

import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.IOSupplier;

/**
 * Over blocks. What was read of the directory is checked before it is used, so that no later access
 * is outside the memory.
 */
final class SparseIterator extends CachedIterator {

  private static final SparseBlock BEFORE_THE_FIRST =
      new SparseBlock(-1, SparseBlock.Kind.ARRAY, 0, 0);

  private final Extent memory;
  private final int blocks;
  private final int directory;

  private int place = -1; // of the block in the directory
  private SparseBlock block = BEFORE_THE_FIRST; // that the last document was in
  private int at; // in its array, where the last search ended

  SparseIterator(
      CachedDocs docs,
      Extent memory,
      CachedDocs.Form.Sparse form,
      IOSupplier<DocIdSetIterator> index) {
    super(docs, index);
    this.memory = memory;
    this.blocks = form.blocks();
    this.directory = form.directory();
  }

  @Override
  int find(int target) {
    int wanted = target >>> SparseBlock.SHIFT;
    if (wanted > block.number() && !open(seek(wanted))) {
      return NO_MORE_DOCS;
    }
    int low = block.number() == wanted ? target & SparseBlock.MASK : 0;
    while (true) {
      int found = findInBlock(low);
      if (found < SparseBlock.DOCS) {
        return (block.number() << SparseBlock.SHIFT) + found;
      }
      if (!open(place + 1)) {
        return NO_MORE_DOCS;
      }
      low = 0;
    }
  }

  /** The first place in the directory from here on whose block is not before {@code wanted}. */
  private int seek(int wanted) {
    int low = place + 1;
    if (low >= blocks || SparseBlock.number(line(low)) >= wanted) {
      return low;
    }
    int high = blocks;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (SparseBlock.number(line(middle)) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Makes a block the current one; false if there is none, or if the set is not intact. */
  private boolean open(int newPlace) {
    if (newPlace >= blocks) {
      return false;
    }
    long line = line(newPlace);
    if (!isIntact()) {
      return false;
    }
    place = newPlace;
    block = SparseBlock.of(line);
    at = 0;
    return true;
  }

  /** The first one from {@code low} on, counted in the block; 65,536 or more if there is none. */
  private int findInBlock(int low) {
    return switch (block.kind()) {
      case RANGE -> low <= valueAt(1) ? Math.max(low, valueAt(0)) : SparseBlock.DOCS;
      case ARRAY -> {
        at = lowerBound(low);
        yield at < block.size() ? valueAt(at) : SparseBlock.DOCS;
      }
      case INVERTED -> findBetween(low);
      case BITS -> findBit(low);
    };
  }

  private int findBit(int low) {
    int word = low >>> 6;
    if (word >= block.size()) {
      return SparseBlock.DOCS;
    }
    long found = wordAt(word) & -1L << low;
    while (found == 0) {
      word++;
      if (word == block.size()) {
        return SparseBlock.DOCS;
      }
      found = wordAt(word);
    }
    return (word << 6) + Long.numberOfTrailingZeros(found);
  }

  private int findBetween(int low) {
    int found = low;
    at = Math.max(at, 1);
    for (at = lowerBound(low); at < block.size() && valueAt(at) == found; at++) {
      found++;
    }
    return found <= valueAt(0) ? found : SparseBlock.DOCS;
  }

  /** The first place from {@link #at} on whose value is not below {@code value}. */
  private int lowerBound(int value) {
    int low = at;
    for (int next = 0; next < 2; next++) { // most often it is the next one
      if (low >= block.size() || valueAt(low) >= value) {
        return low;
      }
      low++;
    }
    int step = 1;
    while (low + step < block.size() && valueAt(low + step - 1) < value) {
      low += step;
      step <<= 1;
    }
    int high = Math.min(block.size(), low + step);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (valueAt(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long line(int of) {
    return memory.longAt(directory + (of << 3));
  }

  private int valueAt(int index) {
    return memory.shortAt(block.position() + (index << 1));
  }

  private long wordAt(int index) {
    return memory.longAt(block.position() + (index << 3));
  }
}
