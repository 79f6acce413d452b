package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import org.junit.jupiter.api.Test;

class FinishingCommitsTest {

  private static final long LONGEST = Disk.FinishingCommits.LONGEST_MILLIS * 1_000_000;

  private final AutoClock clock = new AutoClock();
  private final Disk.FinishingCommits commits = new Disk.FinishingCommits(clock);

  @Test
  void any_untilTheLastOneHasEnded_isTrue() {
    assertFalse(commits.any());
    commits.begins("one");
    commits.begins("other");
    commits.ended("one");
    assertTrue(commits.any());
    commits.ended("other");
    assertFalse(commits.any());
    commits.ended("other");
    assertFalse(commits.any());
  }

  @Test
  void any_afterTheLongest_isFalse_andTheNextOneCountsAgain() {
    commits.begins("one");
    clock.advanceNanos(LONGEST - 1);
    assertTrue(commits.any());
    clock.advanceNanos(1);
    assertFalse(commits.any());
    commits.begins("one");
    assertTrue(commits.any());
  }
}
