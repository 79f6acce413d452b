package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedFileSystem;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Change number i of a file fails, and i grows until nothing fails. Odd strikes hit one change,
 * even ones all that follow too, as a full disk does.
 */
@Timeout(300)
class DiskFaultTest {

  /** What the file system throws. */
  enum Fault {
    FULL {
      @Override
      void strike() throws IOException {
        throw new FileSystemException("a file", null, "No space left on device");
      }
    },
    CHANNEL_CLOSED_BY_INTERRUPT {
      @Override
      void strike() throws IOException {
        throw new ClosedByInterruptException();
      }
    },
    OUT_OF_MEMORY {
      @Override
      void strike() {
        throw new OutOfMemoryError("Java heap space, so the test says");
      }
    };

    abstract void strike() throws IOException;
  }

  @TempDir private Path temp;

  private final Set<SteppedFileSystem.Step> struck =
      EnumSet.noneOf(SteppedFileSystem.Step.class); // guarded by itself

  @ParameterizedTest
  @CsvSource({
    "FULL,false,67",
    "FULL,true,53",
    "CHANNEL_CLOSED_BY_INTERRUPT,false,151",
    "OUT_OF_MEMORY,false,151",
    "OUT_OF_MEMORY,true,97"
  })
  void work_fileFailsAtAnyStep_losesNothingCommitted(Fault fault, boolean mergesOnly, int stride)
      throws Exception {
    int faults = 0;
    for (int step = 1;
        strikeAt(fault, mergesOnly, step, faults);
        step = FaultRig.next(step, stride)) {
      faults++;
    }
    assertTrue(faults >= 4, "only " + faults + " faults: the work is too small");
    assertTrue(struck.contains(SteppedFileSystem.Step.WRITE), "struck at " + struck);
  }

  /** Whether the fault was met. */
  private boolean strikeAt(Fault fault, boolean mergesOnly, int step, int number) throws Exception {
    AtomicInteger left = new AtomicInteger(step);
    SteppedFileSystem.Hook hook =
        (kind, file) -> {
          boolean ofMerge = Thread.currentThread().getName().startsWith("Lucene Merge Thread");
          if (mergesOnly && !ofMerge) {
            return;
          }
          int now = left.decrementAndGet();
          if (now == 0 || now < 0 && number % 2 == 0) {
            synchronized (struck) {
              struck.add(kind);
            }
            fault.strike();
          }
        };
    try (FaultRig rig = new FaultRig(temp, hook, number % 4 < 2)) {
      Throwable failure = null;
      try {
        rig.work();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        failure = e;
      }
      boolean met = left.get() <= 0;
      left.set(Integer.MAX_VALUE); // healed
      assertTrue(met || failure == null, () -> "failed without a fault");
      rig.writer.rollback();
      rig.checkAfterwards();
      return met;
    }
  }
}
