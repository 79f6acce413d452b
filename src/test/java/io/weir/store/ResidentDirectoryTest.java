package io.weir.store;

import static io.weir.store.KeyedIndex.assertClean;
import static io.weir.store.KeyedIndex.assertVersion;
import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.ReadCountingDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real indexes over a directory that counts what is read from it. */
@Timeout(120)
class ResidentDirectoryTest {

  private static final int SEGMENTS = 4;
  private static final int DOCUMENTS = 2000;
  private static final int ALL = SEGMENTS * DOCUMENTS;
  private static final int STEP = 37;

  private static final String BLOCKS = "_0_Lucene104_1.tim";
  private static final String INDEX = "_0_Lucene104_1.tip";

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);

  @TempDir Path temp;

  private final SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);
  private ReadCountingDirectory disk;

  @BeforeEach
  void open() throws IOException {
    disk = new ReadCountingDirectory(FSDirectory.open(temp));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void update_ofOpenSegments_readsNoFileOfTheKeyFromTheDisk(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound, KEYS), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS)) {
      // The files of the key, of any kind: dictionary and postings.
      assertEquals(0, bytesReadByUpdates(resident, compound, "_Lucene104_1."));
    }
  }

  /** What the codec writes by itself: each of these segments is a small flush. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void update_ofSmallFlushes_readsNoDictionaryFromTheDisk(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound).setCodec(KEYS.codec()), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS)) {
      assertEquals(0, bytesReadByUpdates(resident, compound, "_Lucene104_0.ti"));
      assertEquals(0, resident.snapshot().faults());
    }
  }

  /**
   * What another codec has written: a dictionary of all fields, of which the key's part is held.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void update_ofSegmentsOfAnotherCodec_readsNoDictionaryFromTheDisk(boolean compound)
      throws IOException {
    KeyedIndex.build(disk, config(compound), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS, 0)) {
      assertEquals(0, bytesReadByUpdates(resident, compound, "_Lucene104_0.ti"));
      assertEquals(0, resident.snapshot().faults());
    }
  }

  /** Of key fields and others: all of it is held up to a bound, and beyond it the key's part. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sharedDictionary_isHeldEntirelyUpToTheBound(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound), 1, DOCUMENTS);
    long blocks = blocksBytes(compound);
    for (long bound : new long[] {blocks, blocks - 1}) {
      open();
      try (ResidentDirectory resident = loader.directory(disk, KEYS, bound);
          DirectoryReader reader = DirectoryReader.open(resident)) {
        loader.goRound();
        assertVersion("first", reader, 7);
        assertEquals(2, resident.snapshot().files());
        assertEquals(bound == blocks, resident.snapshot().bytes() > blocks);
        assertTrue(resident.snapshot().bytes() > 4L * DOCUMENTS, resident.snapshot().toString());
      }
    }
  }

  /** As {@link CheckIndex} reads it, and a search of another field. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sharedDictionary_heldInPart_hasTheTermsOfAllFields(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS, 0);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      loader.goRound();
      IndexSearcher searcher = new IndexSearcher(reader);
      assertEquals(DOCUMENTS, searcher.count(new TermQuery(new Term("version", "first"))));
      for (int word = 0; word < 89; word++) {
        assertTrue(searcher.count(new TermQuery(new Term("body", "word" + word))) > 10);
      }
      reader.leaves().getFirst().reader().checkIntegrity();
      assertClean(resident, DOCUMENTS);
    }
  }

  private long blocksBytes(boolean compound) throws IOException {
    if (!compound) {
      return disk.fileLength("_0_Lucene104_0.tim");
    }
    try (CompoundDirectory files =
        Codec.getDefault()
            .compoundFormat()
            .getCompoundReader(disk, SegmentInfos.readLatestCommit(disk).info(0).info)) {
      return files.fileLength("_0_Lucene104_0.tim");
    }
  }

  /** The control: the counter sees these reads when nothing is held. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void update_withoutUs_readsTheKeysDictionaryFromTheDisk(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound, KEYS), SEGMENTS, DOCUMENTS);
    long bytes = bytesReadByUpdates(disk, compound, "_Lucene104_1.");
    assertTrue(bytes > ALL / STEP, () -> "read " + bytes + " bytes");
  }

  private long bytesReadByUpdates(Directory directory, boolean compound, String files)
      throws IOException {
    try (IndexWriter writer =
            new IndexWriter(
                directory, config(compound, KEYS).setMergePolicy(NoMergePolicy.INSTANCE));
        DirectoryReader before = DirectoryReader.open(writer)) {
      Set<String> open = KeyedIndex.segments(before);
      assertEquals(SEGMENTS, open.size());
      loader.goRound();
      disk.forget();
      for (int key = 0; key < ALL; key += STEP) {
        KeyedIndex.update(writer, key, "second");
      }
      try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
        assertEquals(ALL, after.numDocs());
        for (int key = 0; key < ALL; key += STEP / 2) {
          assertVersion(key % STEP == 0 ? "second" : "first", after, key);
        }
      }
      return disk.bytesByFile().entrySet().stream()
          .filter(e -> e.getKey().contains(files))
          .filter(e -> open.contains(e.getKey().substring(0, e.getKey().indexOf("_Lucene"))))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void snapshot_whileReadersAreOpen_tellsTheBytesOfEachSegment(boolean compound)
      throws IOException {
    KeyedIndex.build(disk, config(compound, KEYS), SEGMENTS, DOCUMENTS);
    ResidentDirectory resident = loader.directory(disk, KEYS);
    DirectoryReader reader = DirectoryReader.open(resident);
    ResidentSnapshot open = resident.snapshot();

    assertEquals(KeyedIndex.segments(reader), open.bytesBySegment().keySet());
    assertEquals(SEGMENTS * 2, open.files());
    assertEquals(
        open.bytes(), open.bytesBySegment().values().stream().mapToLong(Long::longValue).sum());
    // 4 to 5 characters of a key differ from the one before it at most; nothing of the text.
    assertTrue(open.bytes() > 4L * ALL && open.bytes() < 30L * ALL, open.toString());
    if (!compound) {
      long bytes = 0;
      for (String file : disk.listAll()) {
        boolean held = file.endsWith("_Lucene104_1.tim") || file.endsWith("_Lucene104_1.tip");
        bytes += held ? disk.fileLength(file) : 0;
      }
      assertEquals(bytes, open.bytes());
    }

    reader.close();
    assertEquals(
        new ResidentSnapshot(
            0,
            open.bytes(),
            Long.MAX_VALUE,
            0,
            Map.of(),
            0,
            0,
            SEGMENTS * 2,
            0,
            0,
            SEGMENTS,
            open.bytes(),
            0),
        resident.snapshot());
    assertEquals(0, loader.memory.bytes());
    resident.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mixedIndex_merged_becomesResident(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS, 0)) {
      try (IndexWriter writer = new IndexWriter(resident, config(compound, KEYS))) {
        KeyedIndex.update(writer, 7, "second");
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertEquals(1, resident.snapshot().bytesBySegment().size());
          assertVersion("second", reader, 7);
        }
        writer.forceMerge(1);
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertEquals(KeyedIndex.segments(reader), resident.snapshot().bytesBySegment().keySet());
          assertTrue(resident.snapshot().bytes() > 4L * ALL);
          assertVersion("second", reader, 7);
        }
      }
      assertEquals(0, resident.snapshot().bytes());
      assertClean(resident, ALL);
      assertEquals(0, resident.snapshot().bytes());
    }
  }

  @Test
  void keyThatSortsFirst_hasTheFirstNumber_isFoundAllTheSame() throws IOException {
    ResidentKeys keys = ResidentKeys.of("body");
    KeyedIndex.build(disk, config(false, keys), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, keys);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      assertEquals(
          disk.fileLength("_0_Lucene104_0.tim") + disk.fileLength("_0_Lucene104_0.tip"),
          resident.snapshot().bytes());
      assertVersion("first", reader, 7);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bound_reached_leavesTheRestOnTheDiskAndAllWorks(boolean compound) throws IOException {
    KeyedIndex.build(disk, config(compound, KEYS), SEGMENTS, DOCUMENTS);
    long all;
    try (ResidentDirectory resident = loader.directory(disk, KEYS);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      all = resident.snapshot().bytes();
      assertVersion("first", reader, 7);
    }
    open();
    try (ResidentDirectory resident = loader.directory(disk, KEYS.withMaxBytes(all / 2));
        DirectoryReader reader = DirectoryReader.open(resident)) {
      ResidentSnapshot open = resident.snapshot();
      assertTrue(open.bytes() <= all / 2 && open.bytes() > all / 5, open.toString());
      assertEquals(SEGMENTS * 2, open.loadedFiles() + open.waitingFiles());
      assertEquals(all / 2, open.maxBytes());
      assertEquals(0, open.faults());
      for (int key = 0; key < ALL; key += STEP) {
        assertVersion("first", reader, key);
      }
    }
    open();
    try (ResidentDirectory none = loader.directory(disk, KEYS.withMaxBytes(0));
        DirectoryReader reader = DirectoryReader.open(none)) {
      assertVersion("first", reader, 7);
      assertEquals(SEGMENTS * 2, none.snapshot().waitingFiles());
    }
  }

  @Test
  void readOnce_ofAKeyFile_isNotHeld() throws IOException {
    KeyedIndex.build(disk, config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS);
        IndexInput input = resident.openInput("_0_Lucene104_1.tim", IOContext.READONCE)) {
      assertEquals(disk.fileLength("_0_Lucene104_1.tim"), input.length());
      assertEquals(0, resident.snapshot().loadedFiles());
    }
  }

  @Test
  void close_twiceAndWithAClone_givesBackOnceAndTheCloneGoesOn() throws IOException {
    KeyedIndex.build(disk, config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS)) {
      IndexInput input = resident.openInput(BLOCKS, IOContext.DEFAULT);
      assertEquals(0, resident.snapshot().files());
      IndexInput other = resident.openInput(INDEX, IOContext.DEFAULT);
      assertEquals(2, resident.snapshot().files());
      IndexInput clone = input.clone();
      input.close();
      input.close();
      assertEquals(2, resident.snapshot().files());
      other.close();
      assertEquals(0, resident.snapshot().bytes());
      assertEquals(0, loader.memory.bytes());
      assertThrows(AlreadyClosedException.class, input::clone);
      assertArrayEquals(bytesOf(BLOCKS), bytes(clone));
    }
  }

  /** What reads at the place where the original stands must do so in the copy. */
  @Test
  void cloneAndSlices_ofAHeldFile_readTheSameBytesAsTheFile() throws IOException {
    KeyedIndex.build(disk, config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(disk, KEYS);
        IndexInput input = resident.openInput(BLOCKS, IOContext.DEFAULT);
        IndexInput index = resident.openInput(INDEX, IOContext.DEFAULT)) {
      byte[] expected = bytesOf(BLOCKS);
      disk.forget();
      input.seek(100);
      assertEquals(100, input.clone().getFilePointer());
      assertEquals(expected[100], input.clone().readByte());
      assertEquals(
          expected[107], input.slice("part", 7, 200).clone().slice("s", 100, 9).readByte());
      assertEquals(expected[107], input.randomAccessSlice(7, 200).readByte(100));
      assertEquals(bytesOf(INDEX).length, bytes(index.clone()).length);
      assertEquals(Map.of(), disk.bytesByFile());
    }
  }

  private static Closeable openPair(Directory directory) throws IOException {
    IndexInput blocks = directory.openInput(BLOCKS, IOContext.DEFAULT);
    IndexInput index = directory.openInput(INDEX, IOContext.DEFAULT);
    return () -> IOUtils.close(blocks, index);
  }

  private byte[] bytesOf(String name) throws IOException {
    try (Directory files = FSDirectory.open(temp);
        IndexInput input = files.openInput(name, IOContext.READONCE)) {
      return bytes(input);
    }
  }

  private static byte[] bytes(IndexInput input) throws IOException {
    byte[] bytes = new byte[(int) input.length()];
    input.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  @Test
  void keys_thatMakeNoSense_areRefused() {
    assertEquals(
        "fields must name at least one key field: none",
        assertThrows(IllegalArgumentException.class, ResidentKeys::of).getMessage());
    assertEquals(
        "maxBytes must be at least 0 bytes: -1",
        assertThrows(IllegalArgumentException.class, () -> KEYS.withMaxBytes(-1)).getMessage());
    assertEquals(Set.of("a", "b"), ResidentKeys.of("a", "b").withMaxBytes(0).fields());
  }
}
