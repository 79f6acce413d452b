package io.weir.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.RoaringDocIdSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both forms hold what was collected; the sparse one takes as little memory as Lucene's. */
class CachedDocsTest {

  private static final int MAX_DOC = 400_123;

  private final CachedQueries space =
      new CachedQueries(10, 64 << 20, NanoClock.SYSTEM, new PoisonedMemory());

  /** Sets of every kind of block. */
  static Stream<FixedBitSet> sets() {
    Random random = new Random(7);
    return Stream.of(
        random(random, 1),
        random(random, 30),
        random(random, MAX_DOC / 1000),
        random(random, MAX_DOC / 100),
        random(random, MAX_DOC / 10),
        random(random, MAX_DOC * 2),
        range(0, MAX_DOC),
        range(65_536, 131_072),
        range(60_000, 140_000),
        without(random(random, 3000)),
        without(random(random, 40)),
        and(range(70_000, 180_000), random(random, MAX_DOC / 15)),
        range(65_536, 65_536 + 4096),
        range(65_536, 65_536 + 4097),
        range(0, 65_536 - 4096),
        range(0, 65_536 - 4095),
        range(MAX_DOC - 1, MAX_DOC));
  }

  @ParameterizedTest
  @MethodSource("sets")
  void iterators_ofBothForms_haveTheSameDocuments(FixedBitSet expected) throws IOException {
    for (boolean dense : new boolean[] {false, true}) {
      CachedDocs docs = docs(expected, dense);
      assertEquals(expected.cardinality(), docs.count());
      assertEquals(expected, all(iterator(docs)));
      for (int step : new int[] {2, 100, 5_000, 70_000}) {
        assertAdvances(expected, iterator(docs), step);
      }
      for (int window : new int[] {50, 4096, 100_000}) {
        assertEquals(expected, byWindows(iterator(docs), window));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sets")
  void memory_ofTheSparseForm_isAtMostHalfAPageMoreThanThatOfLucene(FixedBitSet set)
      throws IOException {
    RoaringDocIdSet lucene =
        new RoaringDocIdSet.Builder(MAX_DOC)
            .add(new BitSetIterator(set, set.cardinality()))
            .build();
    docs(set, false);
    long bytes = space.snapshot(0, 0, 0).usedBytes();
    assertTrue(
        bytes <= lucene.ramBytesUsed() + PagePool.PAGE_BYTES / 2,
        bytes + " bytes, Lucene: " + lucene.ramBytesUsed());
  }

  /** At each moment: at the start, in the middle, near the end, in a window. */
  @ParameterizedTest
  @MethodSource("sets")
  void iterator_whoseSetIsEvicted_goesOnWithTheIndex(FixedBitSet expected) throws IOException {
    for (boolean dense : new boolean[] {false, true}) {
      for (int after : new int[] {0, 1, 17, 5_000}) {
        CachedDocs docs = docs(expected, dense);
        FixedBitSet read = new FixedBitSet(MAX_DOC);
        CachedIterator iterator = docs.iterator(() -> iteratorOf(expected));
        for (int i = 0; i < after && iterator.docID() < DocIdSetIterator.NO_MORE_DOCS; i++) {
          if (iterator.nextDoc() < DocIdSetIterator.NO_MORE_DOCS) {
            read.set(iterator.docID());
          }
        }
        evict(docs);
        if (after == 17 && iterator.docID() < MAX_DOC - 100) {
          iterator.intoBitSet(iterator.docID() + 100, read, 0);
          if (iterator.docID() < MAX_DOC) {
            read.set(iterator.docID());
          }
        }
        while (iterator.docID() < DocIdSetIterator.NO_MORE_DOCS
            && iterator.nextDoc() < DocIdSetIterator.NO_MORE_DOCS) {
          read.set(iterator.docID());
        }
        assertEquals(expected, read);
      }
    }
  }

  @Test
  void docIdRunEnd_isTheEndOfTheRunOrBefore() throws IOException {
    FixedBitSet set = range(100, 300);
    set.set(400, 464);
    CachedIterator iterator = iterator(docs(set, true));
    assertEquals(100, iterator.nextDoc());
    assertEquals(300, iterator.docIDRunEnd());
    assertEquals(400, iterator.advance(350));
    assertEquals(464, iterator.docIDRunEnd());
    assertEquals(MAX_DOC, runEndOfAll());
  }

  /** A search asks in each window, so to look for the end each time is quadratic in the run. */
  @Test
  void docIdRunEnd_askedAgainInARun_isNotLookedForAgain() throws IOException {
    FixedBitSet set = range(100, 300);
    CachedDocs docs = docs(set, true);
    CachedIterator iterator = docs.iterator(() -> iteratorOf(set));
    iterator.nextDoc();
    assertEquals(300, iterator.docIDRunEnd());
    evict(docs); // from here on it could not look
    assertEquals(150, iterator.advance(150));
    assertEquals(300, iterator.docIDRunEnd());
  }

  private int runEndOfAll() throws IOException {
    CachedIterator all = iterator(docs(range(0, MAX_DOC), true));
    all.nextDoc();
    return all.docIDRunEnd();
  }

  @Test
  void builders_withoutMemory_endTheCollection_andKeepNothing() {
    CachedQueries none = new CachedQueries(10, 1 << 20, NanoClock.SYSTEM, new PoisonedMemory(0));
    assertTrue(DenseBuilder.of(none, MAX_DOC).isEmpty());
    CachedQueries small = new CachedQueries(10, 16 << 10, NanoClock.SYSTEM, new PoisonedMemory());
    try (SparseBuilder builder = new SparseBuilder(small)) {
      assertThrows(
          CollectionTerminatedException.class,
          () -> {
            for (int doc = 0; doc < MAX_DOC; doc += 10) {
              builder.collect(doc);
            }
          });
      assertTrue(small.snapshot(0, 0, 0).usedBytes() > 0);
    }
    assertEquals(0, small.snapshot(0, 0, 0).usedBytes());
    assertEquals(1, small.snapshot(0, 0, 0).refusals());
  }

  private CachedDocs docs(FixedBitSet set, boolean dense) throws IOException {
    try (DocsBuilder builder =
        dense ? DenseBuilder.of(space, MAX_DOC).orElseThrow() : new SparseBuilder(space)) {
      DocIdSetIterator docs = iteratorOf(set);
      for (int doc = docs.nextDoc(); doc < MAX_DOC; doc = docs.nextDoc()) {
        builder.collect(doc);
      }
      return builder.build();
    }
  }

  private void evict(CachedDocs docs) {
    docs.evict();
    docs.extent().ifPresent(space::free);
  }

  private static CachedIterator iterator(CachedDocs docs) {
    return docs.iterator(
        () -> {
          throw new AssertionError("the set is not evicted");
        });
  }

  private static DocIdSetIterator iteratorOf(FixedBitSet set) {
    return new BitSetIterator(set, set.cardinality());
  }

  private static FixedBitSet all(DocIdSetIterator docs) throws IOException {
    FixedBitSet all = new FixedBitSet(MAX_DOC);
    assertEquals(-1, docs.docID());
    for (int doc = docs.nextDoc(); doc < DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      assertEquals(doc, docs.docID());
      all.set(doc);
    }
    assertEquals(DocIdSetIterator.NO_MORE_DOCS, docs.docID());
    return all;
  }

  private static void assertAdvances(FixedBitSet expected, DocIdSetIterator docs, int step)
      throws IOException {
    Random random = new Random(step);
    int target = random.nextInt(step);
    while (target < MAX_DOC) {
      int next = expected.nextSetBit(target);
      assertEquals(next, docs.advance(target), "from " + target);
      if (next == DocIdSetIterator.NO_MORE_DOCS) {
        return;
      }
      target = next + 1 + random.nextInt(step);
    }
  }

  private static FixedBitSet byWindows(DocIdSetIterator docs, int window) throws IOException {
    FixedBitSet all = new FixedBitSet(MAX_DOC);
    docs.nextDoc();
    while (docs.docID() < MAX_DOC) {
      int offset = docs.docID() - 3;
      FixedBitSet part = new FixedBitSet(window + 3);
      docs.intoBitSet(offset + 3 + window, part, offset);
      assertTrue(docs.docID() >= offset + 3 + window);
      for (int bit = part.nextSetBit(0); bit < DocIdSetIterator.NO_MORE_DOCS; ) {
        all.set(bit + offset);
        bit = bit + 1 < part.length() ? part.nextSetBit(bit + 1) : DocIdSetIterator.NO_MORE_DOCS;
      }
    }
    return all;
  }

  private static FixedBitSet random(Random random, int draws) {
    FixedBitSet set = new FixedBitSet(MAX_DOC);
    for (int i = 0; i < draws; i++) {
      set.set(random.nextInt(MAX_DOC));
    }
    return set;
  }

  private static FixedBitSet range(int from, int to) {
    FixedBitSet set = new FixedBitSet(MAX_DOC);
    set.set(from, to);
    return set;
  }

  private static FixedBitSet without(FixedBitSet set) {
    set.flip(0, MAX_DOC);
    return set;
  }

  private static FixedBitSet and(FixedBitSet one, FixedBitSet other) {
    one.and(other);
    return one;
  }
}
