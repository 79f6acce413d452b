package io.weir.stress.arm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import io.weir.stress.SmallIndex;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.setting.CacheState;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheConditionTest {

  @TempDir Path temp;

  /** A page cache that obeys or does not. */
  private static final class FakeCache implements PageCache {
    final List<String> dropped = new ArrayList<>();
    double share;

    FakeCache(double share) {
      this.share = share;
    }

    @Override
    public void drop(Path file) {
      dropped.add(file.getFileName().toString());
    }

    @Override
    public long residentBytes(Path file) throws IOException {
      return Math.round(share * Files.size(file));
    }
  }

  @Test
  void make_aRealIndex_isColdThenWarmAndAsItIs() throws IOException {
    SmallIndex.build(temp, 500);
    assumeTrue(KernelPageCache.unavailable().isEmpty(), KernelPageCache.unavailable().toString());
    assumeTrue(KernelPageCache.obstacle(temp).isEmpty(), KernelPageCache.obstacle(temp).toString());

    CacheCondition cold = CacheCondition.make(temp, CacheState.COLD);
    assertTrue(cold.residentShare().orElseThrow() <= 0.01, cold.toString());
    assertTrue(cold.asAsked());
    assertEquals(Optional.empty(), cold.warning());
    CacheCondition asLeft = CacheCondition.make(temp, CacheState.AS_IS);
    assertEquals(cold.residentShare(), asLeft.residentShare());
    CacheCondition warm = CacheCondition.make(temp, CacheState.WARM);
    assertEquals(Optional.of(1.0), warm.residentShare());
    assertTrue(warm.asAsked());
    assertEquals(Optional.of(1.0), CacheCondition.make(temp, CacheState.AS_IS).residentShare());
    assertTrue(warm.indexBytes() > 100_000, warm.toString());
  }

  /** On tmpfs the files are their pages. */
  @Test
  void make_coldWhereNothingCanBeDropped_saysWhatIsLeftAndWhy() throws IOException {
    SmallIndex.build(temp, 100);
    assumeTrue(KernelPageCache.unavailable().isEmpty(), KernelPageCache.unavailable().toString());
    assumeTrue(KernelPageCache.obstacle(temp).isPresent(), "a file system on a disk");

    CacheCondition cold = CacheCondition.make(temp, CacheState.COLD);

    assertEquals(Optional.of(1.0), cold.residentShare());
    assertFalse(cold.asAsked());
    assertTrue(cold.reason().orElseThrow().endsWith(" keeps its files in memory"), cold.toString());
    assertTrue(
        cold.warning().orElseThrow().what().startsWith("the index was not cold: 100.0 % of its "),
        cold.toString());
  }

  @Test
  void make_cold_dropsEachFileOfTheIndexAndNoOther() throws IOException {
    file("_0.cfs", 1000);
    file("segments_1", 10);
    Files.createDirectory(temp.resolve("below"));
    FakeCache cache = new FakeCache(0);

    make(CacheState.COLD, cache);

    assertEquals(List.of("_0.cfs", "segments_1"), List.copyOf(new TreeSet<>(cache.dropped)));
    cache.dropped.clear();
    make(CacheState.WARM, cache);
    make(CacheState.AS_IS, cache);
    assertEquals(List.of(), cache.dropped);
  }

  @Test
  void asAsked_atTheBounds_isToldByTheShare() throws IOException {
    file("_0.cfs", 10_000);
    assertTrue(make(CacheState.COLD, new FakeCache(0.01)).asAsked());
    assertFalse(make(CacheState.COLD, new FakeCache(0.0101)).asAsked());
    assertTrue(make(CacheState.WARM, new FakeCache(0.99)).asAsked());
    assertFalse(make(CacheState.WARM, new FakeCache(0.9899)).asAsked());
    assertTrue(make(CacheState.AS_IS, new FakeCache(0.5)).asAsked());
  }

  @Test
  void warning_notAsAsked_hasTheFiguresAndWhatHelps() throws IOException {
    file("_0.cfs", 2_000_000);

    RunWarning cold = make(CacheState.COLD, new FakeCache(0.25)).warning().orElseThrow();
    assertEquals(
        "the index was not cold: 25.0 % of its 2.0 MB were in the page cache when it was opened",
        cold.what());
    assertEquals(
        "stop other programs that use the index, put --index on a disk, or set cache=as-is",
        cold.remedy());
    RunWarning warm = make(CacheState.WARM, new FakeCache(0.5)).warning().orElseThrow();
    assertEquals(
        "the index was not warm: 50.0 % of its 2.0 MB were in the page cache when it was opened",
        warm.what());
    assertTrue(warm.cause().contains("larger than what memory or the control group"), warm.cause());
    assertEquals(Optional.empty(), make(CacheState.AS_IS, new FakeCache(0.5)).warning());
  }

  /** Java 21, another system, a file of somebody else: no figure is no cold cache. */
  @Test
  void make_whereNobodyCanTell_isNotAsAskedAndSaysWhy() throws IOException {
    file("_0.cfs", 1000);
    for (CacheState asked : CacheState.values()) {
      CacheCondition untold =
          CacheCondition.make(
              temp,
              asked,
              () -> {
                throw new UnsupportedOperationException("this is Java 21");
              });
      assertEquals(Optional.empty(), untold.residentShare());
      assertEquals(asked == CacheState.AS_IS, untold.asAsked());
      assertEquals("this is Java 21", untold.warning().orElseThrow().cause());
    }
    CacheCondition foreign =
        make(
            CacheState.COLD,
            new PageCache() {
              @Override
              public void drop(Path file) {}

              @Override
              public long residentBytes(Path file) throws IOException {
                throw new AccessDeniedException("_0.cfs");
              }
            });
    assertFalse(foreign.asAsked());
    assertTrue(foreign.reason().orElseThrow().contains("AccessDenied"), foreign.toString());
    assertEquals("the page cache could not be made cold", foreign.warning().orElseThrow().what());
  }

  @Test
  void result_hasEachPhaseThatWas() throws IOException {
    file("_0.cfs", 1000);
    Path proc = Files.createDirectories(temp.resolve("kernel/proc/self"));
    StorageReadMeter reads = new StorageReadMeter(new Procfs(temp.resolve("kernel")));
    tell(proc, 5, 4096);
    reads.begin(Phase.WARMUP);
    tell(proc, 9, 12_288);
    reads.begin(Phase.BEFORE);
    Files.delete(proc.resolve("io"));
    reads.begin(Phase.DURING);
    tell(proc, 20, 40_960);
    reads.end();
    reads.end();

    Values condition = make(CacheState.COLD, new FakeCache(0.002)).values();

    assertEquals(Optional.of("cold"), condition.get(ArmFigures.CACHE_ASKED));
    assertEquals(Optional.of(true), condition.get(ArmFigures.CACHE_AS_ASKED));
    assertEquals(
        Optional.empty(),
        make(CacheState.AS_IS, new FakeCache(1)).values().get(ArmFigures.CACHE_AS_ASKED));
    assertEquals(
        Values.builder()
            .put(ArmFigures.WARM_UP_MAJOR_FAULTS, 4L)
            .put(ArmFigures.WARM_UP_READ_BYTES, 8192L)
            .put(ArmFigures.MAJOR_FAULTS, Phase.BEFORE, 0L)
            .put(ArmFigures.MAJOR_FAULTS, Phase.DURING, 11L)
            .build(),
        reads.values());
  }

  private CacheCondition make(CacheState asked, PageCache cache) throws IOException {
    return CacheCondition.make(temp, asked, () -> cache);
  }

  private void file(String name, int bytes) throws IOException {
    Files.write(temp.resolve(name), new byte[bytes]);
  }

  private static void tell(Path proc, long majorFaults, long readBytes) throws IOException {
    Files.writeString(
        proc.resolve("stat"), "7 (java) S 1 7 7 0 -1 4194560 500 0 " + majorFaults + " 0 1 1\n");
    Files.writeString(proc.resolve("io"), "read_bytes: " + readBytes + "\nwrite_bytes: 0\n");
  }
}
