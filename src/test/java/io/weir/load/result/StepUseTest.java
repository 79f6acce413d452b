package io.weir.load.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepUseTest {

  private static StepUse use(
      double machine, double server, double collector, double paused, double disk, double threads) {
    return new StepUse(
        Optional.of(machine),
        Optional.of(server),
        5,
        Optional.of(collector),
        Optional.of(paused),
        Optional.of(disk),
        Optional.empty(),
        Optional.of(threads),
        Optional.of(0.0));
  }

  @Test
  void full_theResourceThatExplainsMost_isNamed() {
    assertEquals(Resource.CLIENT, use(99, 90, 50, 50, 99, 99).full(StepOutcome.CLIENT));
    assertEquals(Resource.COLLECTOR, use(60, 50, 5, 25, 0, 0).full(StepOutcome.BEHIND));
    assertEquals(Resource.COLLECTOR, use(95, 80, 30, 1, 0, 0).full(StepOutcome.BEHIND));
    assertEquals(Resource.PROCESSOR, use(95, 80, 15, 1, 0, 0).full(StepOutcome.BEHIND));
    // One task that waits for the disk is no limit of a machine that is busy.
    assertEquals(Resource.PROCESSOR, use(98, 90, 5, 1, 100, 0).full(StepOutcome.BEHIND));
    assertEquals(Resource.DISK, use(40, 30, 1, 1, 80, 0).full(StepOutcome.OVER_LIMIT));
    assertEquals(Resource.THREADS, use(40, 30, 1, 1, 0, 95).full(StepOutcome.OVER_LIMIT));
    assertEquals(Resource.NONE, use(40, 30, 1, 1, 0, 0).full(StepOutcome.OVER_LIMIT));
  }

  @Test
  void full_whatIsNotKnown_isNotBlamed() {
    StepUse unknown =
        new StepUse(
            Optional.empty(),
            Optional.empty(),
            5,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertEquals(Resource.NONE, unknown.full(StepOutcome.BEHIND));
    assertEquals(
        Resource.COLLECTOR, unknown.withPaused(Optional.of(30.0)).full(StepOutcome.BEHIND));
  }
}
