package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;

/** The audit of {@link MergeAuditTest} is as exact with writeback smoothing between. */
class MergeAuditWithWritebackTest extends MergeAuditTest {

  private final List<WritebackDirectory> smoothing = new ArrayList<>();

  @Override
  RateLimitedDirectory rateLimited(Directory below) {
    WritebackDirectory directory =
        new WritebackDirectory(below, WritebackOptions.DEFAULT.withRangeBytes(65536));
    smoothing.add(directory);
    return super.rateLimited(directory);
  }

  @AfterEach
  void writebackWasDoneAndHasEnded() {
    assertEquals(1, smoothing.size());
    WritebackSnapshot snapshot = smoothing.get(0).snapshot();
    assertTrue(snapshot.startedRanges() >= 1, "no file had a range to write back");
    assertEquals(0, snapshot.inFlightRanges());
    assertEquals(0, snapshot.faults());
    assertEquals(0, snapshot.lostFiles());
  }
}
