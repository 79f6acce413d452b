package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.weir.corpus.DocumentSources;
import io.weir.procfs.Procfs;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

  private static final ExperimentListener NO_LISTENER = new ExperimentListener() {};

  @TempDir Path temp;
  private Path index;
  private Path out;

  @BeforeEach
  void places() {
    index = temp.resolve("index");
    out = temp.resolve("out");
  }

  @Test
  void requireEmptyOut_newOrEmpty_isGood() throws Exception {
    assertDoesNotThrow(() -> Preflight.requireEmptyOut(out));
    Files.createDirectory(out);
    assertDoesNotThrow(() -> Preflight.requireEmptyOut(out));
  }

  @Test
  void requireEmptyOut_anythingElse_isRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertRefused(
        () -> Preflight.requireEmptyOut(temp),
        "--out must be an empty directory or not exist: " + temp);
    assertRefused(
        () -> Preflight.requireEmptyOut(file),
        "--out must be a directory, this is a file: " + file);
    assertRefused(
        () -> Preflight.requireEmptyOut(file.resolve("below")),
        "--out must be a directory, a part of this path is a file: " + file.resolve("below"));
  }

  @Test
  void requireDocuments_notThere_isRefused() {
    StressException thrown =
        assertThrows(
            StressException.class,
            () -> Preflight.requireDocuments(plan(temp + "/no", 0).documents(), NO_LISTENER));

    assertEquals(StressException.Kind.USAGE, thrown.kind());
    assertTrue(
        thrown.getMessage().endsWith("there is no file or directory '" + temp + "/no'"),
        thrown.getMessage());
  }

  @Test
  void requireFitting_nothingThere_isEmpty() throws Exception {
    assertEquals(
        Optional.empty(),
        Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN));
    Files.createDirectory(index);
    assertEquals(
        Optional.empty(),
        Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN));
    Files.writeString(index.resolve("write.lock"), "");
    assertEquals(
        Optional.empty(),
        Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN));
  }

  @Test
  void requireFitting_theVeryIndex_isItsStamp() throws Exception {
    SmallIndex.build(index, 9);

    assertEquals(
        9,
        Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN)
            .orElseThrow()
            .documents());
  }

  @Test
  void requireFitting_file_isRefused() throws Exception {
    Files.writeString(index, "x");

    assertRefused(
        () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN),
        "--index must be a directory, this is a file: " + index);
  }

  @Test
  void requireFitting_otherFiles_isRefused() throws Exception {
    Files.createDirectory(index);
    Files.writeString(index.resolve("thesis.doc"), "x");

    assertRefused(
        () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN),
        "--index must hold an index or nothing, there are other files in it: " + index);
  }

  @Test
  void requireFitting_indexOfSomethingElse_isRefused() throws Exception {
    try (Directory directory = FSDirectory.open(index)) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
    }
    assertRefused(
        () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN),
        "--index holds an index that weir stress did not build: " + index);
  }

  @Test
  void requireFitting_otherDocuments_isRefusedAndSaysBoth() throws Exception {
    SmallIndex.build(index, 9);

    assertRefused(
        () -> Preflight.requireFitting(plan("synthetic:10", 7), index, IndexLayout.PLAIN),
        "--index holds 9 documents of synthetic:9 (seed 1, schema 1), this run asks for synthetic:10"
            + " (seed 1, at most 7): choose another --index, or delete "
            + index);
  }

  @Test
  void requireFitting_lockedIndex_isRefused() throws Exception {
    SmallIndex.build(index, 9);
    IndexLock lock = IndexLock.hold(index);
    try {
      assertRefused(
          () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN),
          "--index must not be in use, another process has locked it: "
              + index.resolve("write.lock"));
    } finally {
      lock.close();
    }
  }

  /** Another run that has just begun to build there was seen only when both were at it. */
  @Test
  void requireFitting_lockedAndNoIndexYet_isRefused() throws Exception {
    Files.createDirectory(index);
    IndexLock lock = IndexLock.hold(index);
    try {
      assertRefused(
          () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN),
          "--index must not be in use, another process has locked it: "
              + index.resolve("write.lock"));
    } finally {
      lock.close();
    }
  }

  @Test
  void requireFitting_brokenIndex_isRefused() throws Exception {
    Files.createDirectory(index);
    Files.writeString(index.resolve("segments_1"), "garbage, and more of it");

    StressException thrown =
        assertThrows(
            StressException.class,
            () -> Preflight.requireFitting(plan("synthetic:9", 0), index, IndexLayout.PLAIN));

    assertTrue(
        thrown.getMessage().startsWith("--index cannot be read as an index: " + index + " ("),
        thrown.getMessage());
  }

  @Test
  void requireDisk_tooLittleForAnIndexStillToBuild_namesBothFigures() throws Exception {
    long textBytes = DocumentSources.parse("synthetic:100000", 1).textBytes().orElseThrow();
    long neededMegabytes = ((256L << 20) + (long) ((long) (textBytes * 1.2) * 2.1)) / 1_000_000;

    assertRefused(
        () -> requireDisk("synthetic:100000", 0, false, 5_999_999),
        "the disk of %s must have %d MB free for an index of these documents and a merge of it: 5 MB"
            .formatted(index, neededMegabytes));
    assertDoesNotThrow(
        () -> requireDisk("synthetic:100000", 0, false, (neededMegabytes + 1) * 1_000_000));
  }

  @Test
  void requireDisk_fewOfTheDocuments_needsLess() throws Exception {
    long room = (256L << 20) + 10_000_000;

    assertDoesNotThrow(() -> requireDisk("synthetic:1000000", 1000, false, room));
    assertThrows(StressException.class, () -> requireDisk("synthetic:1000000", 0, false, room));
  }

  /** A dump of 20 GB, of which a thousand articles are wanted, needs no room for all of it. */
  @Test
  void requireDisk_fewDocumentsOfALargeTree_needsLess() throws Exception {
    Path tree = Files.createDirectory(temp.resolve("tree"));
    Files.writeString(tree.resolve("a.txt"), "one document");
    try (RandomAccessFile sparse = new RandomAccessFile(tree.resolve("b.txt").toFile(), "rw")) {
      sparse.setLength(20_000_000_000L);
    }
    long room = (256L << 20) + 60_000_000;

    assertDoesNotThrow(() -> requireDisk(tree.toString(), 1000, false, room));
    assertThrows(StressException.class, () -> requireDisk(tree.toString(), 0, false, room));
  }

  @Test
  void requireDisk_builtIndex_needsRoomForOneMerge() throws Exception {
    Files.createDirectory(index);
    Files.write(index.resolve("_0.fdt"), new byte[10_000_000]);

    assertRefused(
        () -> requireDisk("synthetic:9", 0, true, 279_000_000),
        "the disk of " + index + " must have 279 MB free for this index and a merge of it: 279 MB");
    assertDoesNotThrow(() -> requireDisk("synthetic:9", 0, true, 279_500_000));
  }

  @Test
  void requireDisk_thisMachine_isAskedAtTheNearestDirectory() {
    assertDoesNotThrow(
        () ->
            Preflight.requireDisk(
                plan("synthetic:1", 0),
                DocumentSources.parse("synthetic:1", 1),
                temp.resolve("a/b/c"),
                false,
                1));
    assertFalse(Files.exists(temp.resolve("a")));
  }

  @Test
  void missing_noProc_saysWhatWillNotBeMeasured() {
    assertEquals(
        "dirty pages are not measured: /proc/meminfo cannot be read or has no Dirty",
        Preflight.missing(new Procfs(temp)).get(0).what());
  }

  @Test
  void sizeOf_isTheSumOfTheFiles() throws Exception {
    Files.write(temp.resolve("a"), new byte[5]);
    Files.write(temp.resolve("b"), new byte[7]);

    assertEquals(12, Preflight.sizeOf(temp));
  }

  private void requireDisk(String docs, long atMost, boolean built, long usableBytes)
      throws StressException, IOException {
    File place = mock(File.class);
    when(place.getUsableSpace()).thenReturn(usableBytes);
    Preflight.requireDisk(
        plan(docs, atMost), DocumentSources.parse(docs, 1), index, built, built ? 0 : 1, place);
  }

  private StressPlan plan(String docs, long atMost) {
    return new StressPlan(
        new Documents(docs, 1, atMost),
        QuerySource.TERMS,
        Optional.ofNullable(index),
        out,
        List.of(new Arm("arm", new QuickArm().settings())),
        1,
        Duration.ofMillis(50),
        false,
        false,
        Telemetry.NONE,
        List.of());
  }

  private static void assertRefused(Executable check, String message) {
    StressException thrown = assertThrows(StressException.class, check);
    assertEquals(message, thrown.getMessage());
    assertEquals(StressException.Kind.USAGE, thrown.kind());
  }
}
