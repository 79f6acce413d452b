package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lucene.FinishedSegment;
import io.weir.store.keys.OverlayInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.codecs.lucene90.Lucene90CompoundFormat;
import org.apache.lucene.codecs.lucene99.Lucene99SegmentInfoFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Segments as Elasticsearch 9.5.3 has written them: ids in a dictionary of their own, behind a
 * Bloom filter. No codec here could read them, so their files are opened one by one.
 */
class ResidentFilterTest {

  private static final ResidentKeys KEYS = ResidentKeys.of("_id");
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(120, 10_000, false, 1));

  /** A segment with 120 ids after a merge, and one with 60 as it was flushed. */
  enum Segment {
    PLAIN("_2"),
    COMPOUND("_0");

    final String name;

    Segment(String name) {
      this.name = name;
    }

    /** What lookups of ids read. */
    List<String> keyFiles() {
      return List.of(name + "_0.tim", name + "_0.tip", name + "_ES87BloomFilter_0.bfi");
    }

    /** What they do not. */
    List<String> otherFiles() {
      return List.of(name + "_Lucene104_0.tim", name + "_Lucene104_0.tip", name + "_0.doc");
    }

    /** The files by their names, as Lucene opens them. */
    Directory open(Directory directory) throws IOException {
      if (this == PLAIN) {
        return directory;
      }
      try (IndexInput input = directory.openInput(name + ".si", IOContext.READONCE)) {
        byte[] head = new byte[4 + 20 + 4 + 16]; // magic, the name of the codec, version, id
        input.readBytes(head, 0, head.length);
        byte[] id = Arrays.copyOfRange(head, 28, 44);
        SegmentInfo info =
            new Lucene99SegmentInfoFormat().read(directory, name, id, IOContext.DEFAULT);
        Directory files = new Lucene90CompoundFormat().getCompoundReader(directory, info);
        files.openInput(name + ".fnm", IOContext.READONCE).close(); // before all others
        return files;
      }
    }
  }

  @TempDir Path temp;

  private final SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);

  private Directory copyOf(Segment segment) throws IOException {
    Path from =
        Path.of("src/test/resources/io/weir/store/elasticsearch-9.5.3")
            .resolve(segment == Segment.PLAIN ? "plain" : "compound");
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, temp.resolve(file.getFileName()));
      }
    }
    return FSDirectory.open(temp);
  }

  @ParameterizedTest
  @EnumSource
  void keys_areHeldWithTheirFilter_andNothingElse(Segment segment) throws IOException {
    try (ResidentDirectory resident = loader.directory(copyOf(segment), KEYS);
        Directory files = segment.open(resident)) {
      List<IndexInput> opened = new ArrayList<>();
      for (String file : segment.otherFiles()) {
        opened.add(files.openInput(file, IOContext.DEFAULT));
      }
      assertEquals(0, resident.snapshot().files());
      long bytes = 0;
      for (String file : segment.keyFiles()) {
        IndexInput input = files.openInput(file, IOContext.DEFAULT);
        opened.add(input);
        bytes += input.length();
        byte[] fromDisk = bytes(input);
        loader.goRound();
        assertArrayEquals(fromDisk, bytes(input.clone()), file);
        assertArrayEquals(fromDisk, bytes(input.slice("all", 0, input.length())), file);
      }
      assertEquals(3, resident.snapshot().files());
      assertEquals(3, resident.snapshot().loadedFiles());
      assertEquals(Map.of(segment.name, bytes), resident.snapshot().bytesBySegment());
      assertEquals(bytes, loader.memory.bytes());
      assertEquals(0, resident.snapshot().faults());
      IOUtils.close(opened);
      assertEquals(0, resident.snapshot().files());
    }
    assertEquals(0, loader.memory.bytes());
  }

  /** A filter is useful without its dictionary: it says which segments need not be asked. */
  @Test
  void filter_whoseDictionaryHasNoRoom_isHeldAlone() throws IOException {
    try (Directory files = copyOf(Segment.PLAIN)) {
      List<String> names = Segment.PLAIN.keyFiles();
      ResidentKeys tight = KEYS.withMaxBytes(files.fileLength(names.get(2)));
      try (ResidentDirectory resident = loader.directory(files, tight);
          IndexInput blocks = resident.openInput(names.get(0), IOContext.DEFAULT);
          IndexInput index = resident.openInput(names.get(1), IOContext.DEFAULT);
          IndexInput filter = resident.openInput(names.get(2), IOContext.DEFAULT)) {
        loader.goRound();
        assertEquals(1, resident.snapshot().files());
        assertEquals(2, resident.snapshot().waitingFiles());
        assertEquals(blocks.length() + index.length(), resident.snapshot().waitingBytes());
        assertEquals(filter.length(), resident.snapshot().bytes());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void merge_stagesTheFilterWithTheDictionary(Segment segment) throws IOException {
    try (Directory files = copyOf(segment);
        ResidentDirectory resident = loader.directory(files, KEYS)) {
      String lookedUp = segment.keyFiles().getFirst();
      segment.open(resident).openInput(lookedUp, IOContext.DEFAULT).close(); // keys are in use
      files.deleteFile(segment.name + ".si");
      resident.createOutput(segment.name + ".si", MERGE).close();
      long bytes = 0;
      try (Directory finished = FinishedSegment.open(files, segment.name)) {
        for (String file : segment.keyFiles()) {
          bytes += finished.fileLength(file);
        }
      }
      assertEquals(3, resident.snapshot().loadedFiles());
      assertEquals(bytes, loader.memory.bytes());

      resident.deleteFile(
          segment == Segment.PLAIN ? segment.keyFiles().getLast() : segment.name + ".cfs");
      assertTrue(loader.memory.bytes() < bytes);
    }
    assertEquals(0, loader.memory.bytes());
  }

  @Test
  void readOnce_ofAFilter_isNotHeld() throws IOException {
    try (ResidentDirectory resident = loader.directory(copyOf(Segment.PLAIN), KEYS);
        IndexInput filter =
            resident.openInput(Segment.PLAIN.keyFiles().get(2), IOContext.READONCE);
        IndexInput asUsual =
            resident.openInput(Segment.PLAIN.keyFiles().get(2), IOContext.DEFAULT)) {
      assertInstanceOf(OverlayInput.class, asUsual);
      assertTrue(!(filter instanceof OverlayInput));
    }
  }

  private static byte[] bytes(IndexInput input) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(input.length())];
    input.seek(0);
    input.readBytes(bytes, 0, bytes.length);
    return bytes;
  }
}
