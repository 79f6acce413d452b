package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.ReadCountingDirectory;
import io.weir.fakes.SteppedClock;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefetchDirectoryTest {

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);
  private static final int DOCUMENTS = 30_000;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  @TempDir Path temp;

  private final SteppedClock clock = new SteppedClock();

  /** What was read of the merged segment's files when its last one had just been written. */
  @Test
  void merge_everyFileOfTheMergedSegment_isFetchedBeforeTheSegmentIsOpened() throws Exception {
    try (ReadCountingDirectory disk = countingSinceTheLastFile()) {
      KeyedIndex.build(disk, KeyedIndex.config(false, KEYS), 2, DOCUMENTS / 2);
      PrefetchDirectory directory = new PrefetchDirectory(disk, clock);
      Map<String, Long> read = fetchedByForceMerge(disk, directory, false);

      Map<String, Long> expected = new TreeMap<>();
      for (String name : directory.listAll()) {
        if (name.startsWith("_2")) {
          long length = disk.fileLength(name);
          boolean whole = length <= 64 << 10;
          expected.put(name, 1 + (whole ? (length + 4095) / 4096 : 1));
        }
      }
      assertEquals(expected, read);
      assertTrue(expected.containsValue(2L), "no file was large: " + expected);
      assertEquals(2, expected.get("_2_Lucene104_1.tim"), "the ends of a large file");
      assertEquals(1, directory.segments());
      assertEquals(0, directory.faults());
    }
  }

  @Test
  void merge_intoACompoundFile_fetchesThatAndNotWhatWentIntoIt() throws Exception {
    try (ReadCountingDirectory disk = countingSinceTheLastFile()) {
      KeyedIndex.build(disk, KeyedIndex.config(true, KEYS), 2, 100);
      PrefetchDirectory directory = new PrefetchDirectory(disk, clock);
      Map<String, Long> read = fetchedByForceMerge(disk, directory, true);
      assertEquals(Set.of("_2.cfe", "_2.cfs", "_2.si"), read.keySet());
      assertEquals(0, directory.faults());
    }
  }

  @Test
  void flush_isNotFetched() throws Exception {
    try (PrefetchDirectory directory = new PrefetchDirectory(FSDirectory.open(temp), clock)) {
      KeyedIndex.build(directory, KeyedIndex.config(false, KEYS), 3, 10);
      assertEquals(0, directory.segments());
    }
  }

  /** It looks whether the merge is to go on before each file. */
  @Test
  void merge_abortedMeanwhile_ends() throws Exception {
    try (PrefetchDirectory directory = new PrefetchDirectory(FSDirectory.open(temp), clock)) {
      IndexOutput info = directory.createOutput("_0.si", MERGE);
      MergeReadPacing.begin(
          () -> {
            throw new MergePolicy.MergeAbortedException("aborted");
          },
          segment -> 1);
      try {
        assertThrows(MergePolicy.MergeAbortedException.class, info::close);
      } finally {
        MergeReadPacing.end();
      }
      assertEquals(0, directory.faults());
    }
  }

  /** The segment is then opened, or not, by who would have opened it without this. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_aFileThatCannotBeRead_isCountedAndTheMergeGoesOn(boolean mapped) throws Exception {
    try (Directory disk = FSDirectory.open(temp)) {
      KeyedIndex.build(disk, KeyedIndex.config(false), 2, 50);
      Directory noStoredFields =
          new FilterDirectory(disk) {
            @Override
            public IndexInput openInput(String name, IOContext context) throws IOException {
              if (name.endsWith("_2.fdt")) {
                if (mapped) {
                  throw new InternalError("a fault in a recent unsafe memory access operation");
                }
                throw new IOException("a bad block");
              }
              return in.openInput(name, context);
            }
          };
      PrefetchDirectory directory = new PrefetchDirectory(noStoredFields, clock);
      try (IndexWriter writer = new IndexWriter(directory, KeyedIndex.config(false))) {
        writer.forceMerge(1);
      }
      assertEquals(1, directory.faults());
      assertThrows(Throwable.class, () -> DirectoryReader.open(directory));
      KeyedIndex.assertClean(disk, 100);
    }
  }

  /** The merge itself reads some of what it has written, before its last file. */
  private ReadCountingDirectory countingSinceTheLastFile() throws IOException {
    AtomicReference<ReadCountingDirectory> counting = new AtomicReference<>();
    counting.set(
        new ReadCountingDirectory(
            new FilterDirectory(FSDirectory.open(temp)) {
              @Override
              public IndexOutput createOutput(String name, IOContext context) throws IOException {
                if (name.endsWith("_2.si")) {
                  counting.get().forget();
                }
                return in.createOutput(name, context);
              }
            }));
    return counting.get();
  }

  private Map<String, Long> fetchedByForceMerge(
      ReadCountingDirectory disk, PrefetchDirectory directory, boolean compound)
      throws IOException {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    try (IndexWriter writer =
        new IndexWriter(directory, KeyedIndex.config(compound, KEYS).setMergePolicy(policy))) {
      writer.forceMerge(1); // without a warmer and a reader nobody opens what is merged
      Map<String, Long> read = disk.bytesByFile();
      read.keySet().removeIf(name -> !name.startsWith("_2"));
      return read;
    }
  }
}
