package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.Rate;
import io.weir.stress.Await;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmIndexTest {

  @TempDir Path temp;

  private final QuickArm arm = new QuickArm();

  /** With the directory alone the merge heard of its abort when it had got another megabyte. */
  @Test
  void rollback_whileAForcedMergeWaitsUnderAPausedCap_endsBoth() throws Exception {
    arm.cap = Rate.PAUSED;
    SmallIndex.build(temp, 2000);
    WritePath path = new WritePath(arm.settings());
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path);
        AutoCloseable lift = () -> path.budget().setRate(Rate.UNLIMITED)) {
      assertNotNull(lift); // it ends what a failure of this test would leave
      FutureTask<Void> merge = started(() -> index.writer().forceMerge(1));
      Await.until("the merge waits for a grant", () -> path.budget().snapshot().waiting() > 0);

      FutureTask<Void> rollback = started(index::rollback);
      rollback.get(5, TimeUnit.SECONDS);

      assertThrows(ExecutionException.class, () -> merge.get(5, TimeUnit.SECONDS));
      assertEquals(0, path.meter().running());
    }
    try (Directory directory = FSDirectory.open(temp);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(2000, reader.numDocs());
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private static FutureTask<Void> started(Action action) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              action.run();
              return null;
            });
    Thread.ofPlatform().start(task);
    return task;
  }

  @Test
  void open_noIndexThere_throws() {
    assertThrows(
        IndexNotFoundException.class,
        () -> new ArmIndex(temp, arm.settings(), new WritePath(arm.settings())));
  }
}
