package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What stacks come to, in milliseconds for short. */
class StackSamplesTest {

  private static final long MILLI = 1_000_000;

  private final StackSamples samples =
      new StackSamples(1, 1000 * MILLI, SlowReopenOptions.defaults(), 0);

  /** A thread in a page fault lets the sampler wait; the wait is the fault's, not the sampler's. */
  @Test
  void stackThatTookLong_weighsAsMuchMore() {
    add(1010, 1010, frame("a", 1));
    add(1015, 1070, frame("b", 1));
    SlowReopen slow = explain(1070);
    assertEquals(2, slow.samplesTaken());
    assertEquals(13, slow.samplesExpected());
    // 5 and 5 + 55 of 60.
    assertEquals(List.of("b", "a"), slow.stacks().stream().map(StackSamplesTest::name).toList());
    assertEquals(
        Map.of(ReopenCause.UNKNOWN, 60 * MILLI, ReopenCause.NOT_SAMPLED, 10 * MILLI),
        slow.causeNanos());
    assertEquals(Math.round(60 * MILLI * 60 / 65.0), slow.stacks().get(0).nanos());
  }

  @Test
  void moreStacksThanAreKept_keepTheirTime() {
    for (int i = 0; i < 100; i++) {
      long at = 1010 + 5L * i;
      add(at, at, frame("f" + i, 1));
    }
    SlowReopen slow = explain(1510);
    assertEquals(StackTally.MAX_STACKS + 1, slow.stacks().size());
    SlowReopen.Stack rest = slow.stacks().get(0);
    assertEquals(List.of(), rest.frames());
    assertEquals(100 - StackTally.MAX_STACKS, rest.samples());
    assertEquals(500 * MILLI, slow.causeNanos().get(ReopenCause.UNKNOWN));
    assertEquals(500 * MILLI, slow.stacks().stream().mapToLong(SlowReopen.Stack::nanos).sum());
  }

  @Test
  void deepStack_keepsItsInnermostFrames() {
    StackTraceElement[] deep =
        IntStream.range(0, 1000).mapToObj(i -> frame("f", i)).toArray(StackTraceElement[]::new);
    samples.add(1010 * MILLI, 1010 * MILLI, deep, deep.length, false);
    List<StackTraceElement> kept = explain(1060).stacks().get(0).frames();
    assertEquals(StackTally.MAX_FRAMES, kept.size());
    assertEquals(deep[0], kept.get(0));
  }

  @Test
  void manyMerges_areBounded() {
    samples.addMerges(IntStream.range(0, 1000).mapToObj(i -> "_" + i).toList());
    samples.addMerges(List.of("_a"));
    assertEquals(StackSamples.MAX_MERGES, explain(1060).merges().size());
  }

  /** The sampler told of another one until 1034: no stack is missing for want of the machine. */
  @Test
  void samplerBusyWithAnother_isTimeNotSampled() {
    StackSamples late =
        new StackSamples(1, 1000 * MILLI, SlowReopenOptions.defaults(), 1034 * MILLI);
    assertEquals(1034 * MILLI, late.nextDueNanos());
    late.add(1034 * MILLI, 1034 * MILLI, new StackTraceElement[] {frame("a", 1)}, 1, false);
    assertEquals(1035 * MILLI, late.nextDueNanos());
    SlowReopen slow = late.explain(new StackSamples.Ended(1, 1000 * MILLI, reopen(1038)));
    assertEquals(
        Map.of(ReopenCause.NOT_SAMPLED, 34 * MILLI, ReopenCause.UNKNOWN, 4 * MILLI),
        slow.causeNanos());
  }

  /** Three milliseconds late is a busy machine's scheduler; it belongs to what is seen then. */
  @Test
  void samplerALittleLate_isNoStandstill() {
    add(1010, 1010, frame("a", 1));
    add(1018, 1018, frame("a", 1));
    SlowReopen slow = explain(1020);
    assertTrue(!slow.causeNanos().containsKey(ReopenCause.STANDSTILL), slow.toString());
  }

  private void add(long fromMillis, long toMillis, StackTraceElement frame) {
    samples.add(fromMillis * MILLI, toMillis * MILLI, new StackTraceElement[] {frame}, 1, false);
  }

  private SlowReopen explain(long finishedMillis) {
    return samples.explain(new StackSamples.Ended(1, 1000 * MILLI, reopen(finishedMillis)));
  }

  private static Reopen reopen(long finishedMillis) {
    return new Reopen(
        ReopenResult.CHANGED,
        OptionalLong.empty(),
        1000 * MILLI,
        OptionalLong.empty(),
        finishedMillis * MILLI,
        Map.of());
  }

  private static StackTraceElement frame(String method, int line) {
    return new StackTraceElement("com.shop.A", method, "A.java", line);
  }

  private static String name(SlowReopen.Stack stack) {
    return stack.frames().get(0).getMethodName();
  }
}
