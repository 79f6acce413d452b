package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import io.weir.store.KernelPageCache;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.IdPostings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexMemoryTest {

  @TempDir Path temp;

  private final QuickArm arm = new QuickArm();
  private Path index;

  @BeforeEach
  void anArm() {
    index = temp.resolve("index");
    arm.set(ArmSetting.ID_POSTINGS, IdPostings.DEFAULT);
  }

  @Test
  void require_coldWhereItCannotBeMade_isRefusedBeforeThereIsAnIndex() {
    arm.set(ArmSetting.CACHE, CacheState.COLD);
    Optional<String> reason =
        KernelPageCache.unavailable().or(() -> KernelPageCache.obstacle(temp));
    if (reason.isEmpty()) {
      assertDoesNotThrow(() -> require(Procfs.SYSTEM));
    } else {
      assertRefused(
          "arm a: cache=cold needs pages that can be dropped, and "
              + reason.get()
              + " (index in "
              + temp
              + ")");
    }
  }

  @Test
  void require_warmWithLessMemoryThanTheIndex_isRefused() throws Exception {
    arm.set(ArmSetting.CACHE, CacheState.WARM);
    Path proc = Files.createDirectories(temp.resolve("kernel/proc"));
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 100 kB\n");
    Procfs small = new Procfs(temp.resolve("kernel"));
    assertDoesNotThrow(() -> require(small), "its size is not known yet");

    SmallIndex.build(index, 200);
    String refused = assertThrows(StressException.class, () -> require(small)).getMessage();
    assertTrue(
        refused.matches(
            "arm a: cache=warm needs memory for an index of [0-9.]+ MB, there are 0.1 MB for"
                + " everything"),
        refused);
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 1000000 kB\n");
    assertDoesNotThrow(() -> require(small));
  }

  @Test
  void require_heapTooSmallForTheIndex_isRefusedWithTheOneThatWouldDo() throws Exception {
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.HEAP);
    assertDoesNotThrow(() -> require(Procfs.SYSTEM), "its size is not known yet");
    SmallIndex.build(index, 200);
    assertDoesNotThrow(() -> require(Procfs.SYSTEM));
    pad(1_000_000_000);

    assertRefused("arm a: directory=heap needs a heap of 27");
    arm.set(ArmSetting.JVM_ARGS, List.of("-Xmx2g"));
    assertRefused("this one has 2147 MB: jvm-args=-Xmx26");
    arm.set(ArmSetting.JVM_ARGS, List.of("-Xmx2g", "-XX:MaxHeapSize=2700M"));
    assertDoesNotThrow(() -> require(Procfs.SYSTEM));
    arm.set(ArmSetting.JVM_ARGS, List.of("-XX:MaxRAMPercentage=1"));
    assertDoesNotThrow(() -> require(Procfs.SYSTEM), "only the arm itself can tell");
  }

  private void assertRefused(String message) {
    StressException refused = assertThrows(StressException.class, () -> require(Procfs.SYSTEM));
    assertEquals(StressException.Kind.USAGE, refused.kind());
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }

  private void pad(long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(index.resolve("_9.fdt").toFile(), "rw")) {
      file.setLength(bytes); // nothing is written
    }
  }

  private void require(Procfs procfs) throws StressException, IOException {
    StressPlan plan =
        new StressPlan(
            SmallIndex.documents(200),
            QuerySource.TERMS,
            Optional.ofNullable(index),
            temp.resolve("out"),
            List.of(new Arm("a", arm.settings())),
            1,
            Duration.ofMillis(50),
            false,
            false,
            Telemetry.NONE,
            List.of());
    SourceIndexes.find(plan, temp.resolve("out/.work")).requireMemory(procfs);
  }
}
