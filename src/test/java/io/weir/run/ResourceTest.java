package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ResourceTest {

  private static Resource full(
      StepOutcome outcome,
      double machine,
      double server,
      double collector,
      double paused,
      double disk,
      double threads) {
    return Resource.of(
        Values.builder()
            .put(StepFigures.OUTCOME, outcome)
            .put(StepFigures.MACHINE, machine)
            .put(StepFigures.SERVER, server)
            .put(StepFigures.CLIENT, 5.0)
            .put(StepFigures.COLLECTOR, collector)
            .put(StepFigures.PAUSED, paused)
            .put(StepFigures.DISK, disk)
            .put(StepFigures.THREADS, threads)
            .build());
  }

  @Test
  void of_theResourceThatExplainsMost_isNamed() {
    assertEquals(Resource.CLIENT, full(StepOutcome.CLIENT, 99, 90, 50, 50, 99, 99));
    assertEquals(Resource.COLLECTOR, full(StepOutcome.BEHIND, 60, 50, 5, 25, 0, 0));
    assertEquals(Resource.COLLECTOR, full(StepOutcome.BEHIND, 95, 80, 30, 1, 0, 0));
    assertEquals(Resource.PROCESSOR, full(StepOutcome.BEHIND, 95, 80, 15, 1, 0, 0));
    // One task that waits for the disk is no limit of a machine that is busy.
    assertEquals(Resource.PROCESSOR, full(StepOutcome.BEHIND, 98, 90, 5, 1, 100, 0));
    assertEquals(Resource.DISK, full(StepOutcome.OVER_LIMIT, 40, 30, 1, 1, 80, 0));
    assertEquals(Resource.THREADS, full(StepOutcome.OVER_LIMIT, 40, 30, 1, 1, 0, 95));
    assertEquals(Resource.NONE, full(StepOutcome.OVER_LIMIT, 40, 30, 1, 1, 0, 0));
  }

  @Test
  void of_whatIsNotKnown_isNotBlamed() {
    Values.Builder unknown = Values.builder().put(StepFigures.OUTCOME, StepOutcome.BEHIND);

    assertEquals(Resource.NONE, Resource.of(unknown.build()));
    assertEquals(Resource.COLLECTOR, Resource.of(unknown.put(StepFigures.PAUSED, 30.0).build()));
  }
}
