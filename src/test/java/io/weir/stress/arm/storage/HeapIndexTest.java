package io.weir.stress.arm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.Rate;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapIndexTest {

  @TempDir Path temp;

  @Test
  void copyOf_anIndex_hasItsFilesAndNotItsLock() throws IOException {
    SmallIndex.build(temp, 300);
    assertTrue(Files.exists(temp.resolve(IndexWriter.WRITE_LOCK_NAME)));
    try (Directory heap = HeapIndex.copyOf(temp, MergeWorkload.FORCED);
        DirectoryReader reader = DirectoryReader.open(heap)) {
      assertInstanceOf(ByteBuffersDirectory.class, heap);
      assertEquals(300, reader.numDocs());
      TreeSet<String> expected = new TreeSet<>(names());
      expected.remove(IndexWriter.WRITE_LOCK_NAME);
      assertEquals(expected, new TreeSet<>(Arrays.asList(heap.listAll())));
    }
  }

  /** What is merged and committed stays on the heap, is charged, and can be checked there. */
  @Test
  void armIndex_onTheHeap_mergesChargesCommitsAndIsCheckedThere() throws Exception {
    SmallIndex.build(temp, 2000, SmallIndex.APART);
    List<String> before = names();
    QuickArm arm = new QuickArm();
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.HEAP);
    arm.set(ArmSetting.CAP, Rate.perSecond(100_000_000));
    WritePath path = new WritePath(arm.settings());
    Values check;
    try (ArmIndex index = new ArmIndex(temp, arm.settings(), path)) {
      assertInstanceOf(
          ByteBuffersDirectory.class, FilterDirectory.unwrap(index.writer().getDirectory()));
      try (DirectoryReader reader =
          DirectoryReader.open(index.writer())) { // or keys are not wanted
        index.writer().forceMerge(1);
        assertEquals(2000, reader.numDocs());
      }
      index.writer().commit();
      assertTrue(
          path.residentKeys().require(ArmFigures.RESIDENT_LOADED) > 0,
          path.residentKeys().toString());
      index.rollback();
      check = index.check(NanoClock.SYSTEM);
    }
    assertEquals(1, check.require(ArmFigures.CHECKED_SEGMENTS));
    assertEquals(2000, check.require(ArmFigures.CHECKED_DOCUMENTS));
    assertTrue(path.counters().meter().writtenBytes() > 500_000);
    assertEquals(
        path.counters().meter().writtenBytes(),
        path.counters().throttle().orElseThrow().budget().snapshot().grantedBytes());
    assertEquals(before, names(), "nothing was written to the disk");
  }

  @Test
  void armIndex_largerThanTheHeap_isRefusedBeforeItIsCopied() throws IOException {
    SmallIndex.build(temp, 10);
    try (RandomAccessFile file = new RandomAccessFile(temp.resolve("_9.fdt").toFile(), "rw")) {
      file.setLength(2 * Runtime.getRuntime().maxMemory()); // nothing is written
    }
    IOException refused =
        assertThrows(IOException.class, () -> HeapIndex.copyOf(temp, MergeWorkload.FORCED));
    assertTrue(
        refused.getMessage().startsWith("directory=heap needs a heap of "), refused.getMessage());
    assertFalse(refused.getMessage().contains("OutOfMemory"));
  }

  @Test
  void refusal_namesTheIndexTheHeapAndTheArgument() {
    assertEquals(
        "directory=heap needs a heap of 2768 MB for an index of 1000.0 MB and a merge of all of it,"
            + " this one has 1073 MB: jvm-args=-Xmx2641m would do",
        HeapIndex.refusal(1_000_000_000, MergeWorkload.FORCED, 1L << 30));
    assertTrue(
        HeapIndex.neededHeapBytes(1_000_000_000, MergeWorkload.FORCED) <= 2641L << 20,
        "it would not");
    assertTrue(
        HeapIndex.neededHeapBytes(1_000_000_000, MergeWorkload.NONE)
            < HeapIndex.neededHeapBytes(1_000_000_000, MergeWorkload.NATURAL));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
