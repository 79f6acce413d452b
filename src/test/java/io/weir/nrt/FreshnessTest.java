package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Which documents are in the sample, and how it adapts. */
class FreshnessTest {

  private final Freshness freshness = new Freshness();
  private final Measurement reopen = new Measurement();

  private static void indexed(Freshness freshness, long nanos) {
    freshness.indexed(true, nanos, nanos);
  }

  @Test
  void poll_belowTheMark_givesTheOldestFirst() {
    indexed(freshness, 100);
    indexed(freshness, 130);
    long mark = freshness.mark();
    indexed(freshness, 140);
    assertTrue(freshness.poll(mark, 150, reopen));
    assertEquals(50, reopen.freshnessNanos);
    assertTrue(freshness.poll(mark, 150, reopen));
    assertEquals(20, reopen.freshnessNanos);
    assertFalse(freshness.poll(mark, 150, reopen));
    assertEquals(2, freshness.samples());
    assertEquals(20, freshness.lastNanos());
    assertEquals(50, freshness.maxNanos());
  }

  /** The first after a mark is kept for the longest wait, and biases no sample. */
  @Test
  void poll_theFirstAfterAMark_outsideTheSample_isNoSample() {
    assertTrue(freshness.isFirst());
    freshness.indexed(false, 90, 100);
    assertFalse(freshness.isFirst());
    long mark = freshness.mark();
    assertTrue(freshness.isFirst());
    reopen.start(Measurement.UNKNOWN_NANOS, 120);
    reopen.begunNanos = 120;
    assertTrue(freshness.poll(mark, 150, reopen));
    assertEquals(60, reopen.longestWaitNanos);
    assertEquals(Measurement.UNKNOWN_NANOS, reopen.freshnessNanos);
    assertEquals(0, freshness.samples());
  }

  @Test
  void told_noReopenEnds_losesCountsAndThinsOut() {
    for (int i = 0; i < Freshness.CAPACITY; i++) {
      assertEquals(0, freshness.lost());
      indexed(freshness, i);
    }
    assertEquals(8, freshness.period());
    indexed(freshness, 1000);
    assertEquals(1, freshness.lost());
    assertEquals(16, freshness.period());
    for (int i = 0; i < 1000; i++) {
      indexed(freshness, 1000);
    }
    assertEquals(1L << 32, freshness.period());
  }

  /** Numbers may come with a stride of their own, such as every other one. */
  @Test
  void chooses_manyPerReopen_settlesAtAFairShareWhateverTheStride() {
    for (long stride : new long[] {1, 2, 3, 64, 1000}) {
      Freshness sampled = new Freshness();
      LongUnaryOperator interval = start -> interval(sampled, start, stride, 10_000);
      long number = 1;
      for (int i = 0; i < 20; i++) {
        interval.applyAsLong(number);
        number += 10_000 * stride;
      }
      long chosen = interval.applyAsLong(number);
      assertTrue(
          chosen >= 4 && chosen < Freshness.CAPACITY, "stride " + stride + " chose " + chosen);
    }
  }

  @Test
  void chooses_fewPerReopen_takesAllOfThemAgain() {
    for (int i = 0; i < 1000; i++) {
      indexed(freshness, 0);
    }
    assertFalse(freshness.chooses(1));
    for (int i = 0; i < 40; i++) {
      long mark = freshness.mark();
      while (freshness.poll(mark, 0, reopen)) {
        assertEquals(0, freshness.lastNanos());
      }
    }
    for (long number = 0; number < 100; number++) {
      assertTrue(freshness.chooses(number));
    }
    assertEquals(1, freshness.period());
  }

  /** What {@code documents} told between two reopens make of the sample. */
  private static long interval(Freshness freshness, long start, long stride, int documents) {
    long chosen = 0;
    for (int i = 0; i < documents; i++) {
      if (freshness.chooses(start + i * stride)) {
        indexed(freshness, 0);
        chosen++;
      }
    }
    long mark = freshness.mark();
    while (freshness.poll(mark, 0, new Measurement())) {
      // all of them are visible now
    }
    return chosen;
  }
}
