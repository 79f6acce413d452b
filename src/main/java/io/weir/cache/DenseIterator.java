package io.weir.cache;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOSupplier;

/** Over one bit for each document. */
final class DenseIterator extends CachedIterator {

  private static final int SHIFT = 6;

  /** Read before it is known to be true: half a page. */
  private static final int WORDS_AT_ONCE = 512;

  private final Extent bits;
  private final int maxDoc;
  private long[] read = {};
  private int runEnd; // of the last run that was looked for

  // The word that the last document was in, which was of this set when it was read.
  private int lastWord = -1;
  private long lastBits;

  DenseIterator(CachedDocs docs, Extent bits, int maxDoc, IOSupplier<DocIdSetIterator> index) {
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
    int end = (maxDoc - 1) >>> SHIFT;
    long found = word == lastWord ? lastBits : word(word);
    long left = found & -1L << target;
    while (left == 0) {
      if (word == end) {
        return NO_MORE_DOCS;
      }
      word++;
      found = word(word);
      left = found;
    }
    lastWord = word;
    lastBits = found;
    return (word << SHIFT) + Long.numberOfTrailingZeros(left);
  }

  @Override
  public void intoBitSet(int upTo, FixedBitSet into, int offset) throws IOException {
    int from = docID();
    int end = Math.min(upTo, maxDoc);
    while (from < end && isCached()) {
      int firstWord = from >>> SHIFT;
      int words = Math.min(WORDS_AT_ONCE, ((end - 1) >>> SHIFT) + 1 - firstWord);
      if (read.length < words) {
        read = new long[words];
      }
      bits.read(firstWord << 3, read, words);
      if (!isIntact()) {
        break;
      }
      int next = Math.min(end, (firstWord + words) << SHIFT);
      read[0] &= -1L << from;
      read[words - 1] &= -1L >>> -next; // all, if next is the first of another word
      or(words, (firstWord << SHIFT) - offset, into.getBits());
      from = next;
    }
    // Nothing before this is missing; what is left, if anything, comes one by one.
    for (int doc = from > docID() ? advance(from) : docID(); doc < upTo; doc = nextDoc()) {
      into.set(doc - offset);
    }
  }

  /**
   * Sets what was read.
   *
   * @param to where the first bit goes; may be negative if it is not set
   */
  private void or(int words, int to, long[] target) {
    int first = to >> SHIFT;
    if ((to & Long.SIZE - 1) == 0) {
      for (int i = 0; i < words; i++) {
        if (read[i] != 0) {
          target[first + i] |= read[i];
        }
      }
      return;
    }
    for (int i = 0; i < words; i++) {
      long low = read[i] << to;
      long high = read[i] >>> -to;
      if (low != 0) {
        target[first + i] |= low;
      }
      if (high != 0) {
        target[first + i + 1] |= high;
      }
    }
  }

  /** Looks for the end of a run once: a search asks again in each window of the run. */
  @Override
  public int docIDRunEnd() throws IOException {
    int doc = docID();
    if (doc < runEnd) { // true after an eviction, too: the documents are the same
      return runEnd;
    }
    if (!isCached()) {
      return doc + 1;
    }
    int end = firstAbsent(doc + 1);
    if (!isIntact()) {
      return doc + 1;
    }
    runEnd = end;
    return end;
  }

  private int firstAbsent(int from) {
    int end = (maxDoc - 1) >>> SHIFT;
    for (int word = from >>> SHIFT; word <= end; word++) {
      long absent = ~word(word) & (word == from >>> SHIFT ? -1L << from : -1L);
      if (absent != 0) {
        return (word << SHIFT) + Long.numberOfTrailingZeros(absent);
      }
    }
    return maxDoc; // a multiple of 64
  }

  private long word(int word) {
    return bits.longAt(word << 3);
  }
}
