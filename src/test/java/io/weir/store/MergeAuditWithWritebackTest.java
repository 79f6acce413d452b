package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.AfterEach;

/** The audit of {@link MergeAuditTest} is as exact with writeback smoothing between. */
class MergeAuditWithWritebackTest extends MergeAuditTest {

  private final List<WritebackDirectory> smoothing = new ArrayList<>();

  @Override
  RateLimitedDirectory rateLimited(Directory below) {
    WritebackOptions options = WritebackOptions.DEFAULT.withRangeBytes(65536);
    Path path = ((FSDirectory) FilterDirectory.unwrap(below)).getDirectory();
    WritebackMedium medium = WritebackMedium.of(path, "any", options, ForeignLinuxCalls::get);
    WritebackDirectory directory =
        new WritebackDirectory(
            below, options, medium, new Disk.UnstartedFiles(65536), NanoClock.SYSTEM);
    smoothing.add(directory);
    return super.rateLimited(directory);
  }

  @AfterEach
  void writebackWasDoneAndHasEnded() {
    assertEquals(1, smoothing.size());
    WritebackSnapshot snapshot = smoothing.get(0).snapshot();
    // Where force is used, files of these sizes are too small for it.
    if (smoothing.get(0).method() == WritebackMethod.SYNC_FILE_RANGE) {
      assertTrue(snapshot.startedRanges() >= 1, "no file had a range to write back");
    }
    assertEquals(0, snapshot.inFlightRanges());
    assertEquals(0, snapshot.faults());
    assertEquals(0, snapshot.lostFiles());
  }
}
