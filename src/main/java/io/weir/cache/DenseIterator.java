package io.weir.cache;

import java.io.IOException;
import org.apache.lucene.util.FixedBitSet;

/** Over one bit for each document. */
final class DenseIterator extends CachedIterator {

  private static final int SHIFT = 6;

  /** Read before it is known to be true: half a page. */
  private static final int WORDS_AT_ONCE = 512;

  private final Extent bits;
  private final int maxDoc;
  private long[] read = {};

  DenseIterator(CachedDocs docs, Extent bits, int maxDoc, Index index) {
    super(docs, index);
    this.bits = bits;
    this.maxDoc = maxDoc;
  }

  @Override
  int find(int target) {
    if (target >= maxDoc) {
      return NO_MORE_DOCS;
    }
    int word = target >>> SHIFT;
    int lastWord = (maxDoc - 1) >>> SHIFT;
    long found = word(word) & -1L << target;
    while (found == 0) {
      if (word == lastWord) {
        return NO_MORE_DOCS;
      }
      found = word(++word);
    }
    return (word << SHIFT) + Long.numberOfTrailingZeros(found);
  }

  @Override
  public void intoBitSet(int upTo, FixedBitSet into, int offset) throws IOException {
    int from = docID();
    int end = Math.min(upTo, maxDoc);
    while (from < end && isCached()) {
      int firstWord = from >>> SHIFT;
      int words = Math.min(WORDS_AT_ONCE, ((end - 1) >>> SHIFT) + 1 - firstWord);
      read(firstWord, words);
      if (!isIntact()) {
        break;
      }
      int next = Math.min(end, (firstWord + words) << SHIFT);
      for (int i = 0; i < words; i++) {
        or(read[i], (firstWord + i) << SHIFT, from, next, into, offset);
      }
      from = next;
    }
    // Nothing before this is missing; what is left, if anything, comes one by one.
    for (int doc = from > docID() ? advance(from) : docID(); doc < upTo; doc = nextDoc()) {
      into.set(doc - offset);
    }
  }

  @Override
  public int docIDRunEnd() throws IOException {
    int end = isCached() ? firstAbsent(docID() + 1) : 0;
    return isCached() && isIntact() ? end : docID() + 1;
  }

  private int firstAbsent(int from) {
    int lastWord = (maxDoc - 1) >>> SHIFT;
    for (int word = from >>> SHIFT; word <= lastWord; word++) {
      long absent = ~word(word) & (word == from >>> SHIFT ? -1L << from : -1L);
      if (absent != 0) {
        return (word << SHIFT) + Long.numberOfTrailingZeros(absent);
      }
    }
    return maxDoc; // a multiple of 64
  }

  private void read(int firstWord, int words) {
    if (read.length < words) {
      read = new long[words];
    }
    for (int i = 0; i < words; i++) {
      read[i] = word(firstWord + i);
    }
  }

  /** Sets the bits of one word whose documents are in {@code [from, to)}. */
  private static void or(long word, int firstDoc, int from, int to, FixedBitSet into, int offset) {
    long bits = word;
    if (firstDoc < from) {
      bits &= -1L << from;
    }
    if (firstDoc + Long.SIZE > to) {
      bits &= -1L >>> (firstDoc + Long.SIZE - to);
    }
    if (bits == 0) {
      return;
    }
    int first = firstDoc + Long.numberOfTrailingZeros(bits) - offset; // where the lowest one goes
    bits >>>= Long.numberOfTrailingZeros(bits);
    long[] target = into.getBits();
    target[first >>> SHIFT] |= bits << first;
    long rest = (first & Long.SIZE - 1) == 0 ? 0 : bits >>> -first;
    if (rest != 0) {
      target[(first >>> SHIFT) + 1] |= rest;
    }
  }

  private long word(int word) {
    return bits.longAt(word << 3);
  }
}
