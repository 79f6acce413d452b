package io.weir.store;

import static io.weir.store.KeyedIndex.assertClean;
import static io.weir.store.KeyedIndex.assertVersion;
import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lucene.CallingMethod;
import io.weir.stress.Await;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the codec writes, and that Lucene alone goes on with it. */
class ResidentKeysCodecTest {

  private static final int DOCUMENTS = 500;

  @TempDir Path temp;

  @Test
  void keyField_isWrittenToASecondGroupOfFiles_andMergedBackByLuceneAlone() throws IOException {
    try (Directory directory = FSDirectory.open(temp)) {
      KeyedIndex.build(directory, config(false, ResidentKeys.of("id")), 3, DOCUMENTS);
      assertEquals(
          Set.of("_0_Lucene104_0.tim", "_0_Lucene104_1.tim", "_1_Lucene104_0.tim"),
          firstThree(dictionaries(directory)));
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      assertEquals(Codec.getDefault().getName(), infos.info(0).info.getCodec().getName());
      assertEquals(Codec.getDefault().getClass(), infos.info(0).info.getCodec().getClass());
      assertClean(directory, 3 * DOCUMENTS);

      try (IndexWriter lucene = new IndexWriter(directory, config(false))) {
        KeyedIndex.update(lucene, 3, "second");
        lucene.forceMerge(1);
      }
      Set<String> merged = dictionaries(directory);
      assertEquals(1, merged.size(), merged.toString());
      assertClean(directory, 3 * DOCUMENTS);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertVersion("second", reader, 3);
        assertVersion("first", reader, 4);
      }
    }
  }

  @Test
  void delegatesChoiceOfFormat_isKeptForEachField() throws IOException {
    PostingsFormat forVersion = PostingsFormat.forName("Lucene104");
    Codec delegate =
        new Lucene104Codec() {
          @Override
          public PostingsFormat getPostingsFormatForField(String field) {
            return field.equals("version") ? forVersion : super.getPostingsFormatForField(field);
          }
        };
    try (Directory directory = FSDirectory.open(temp)) {
      // Body alone; the two keys, one of them with another instance: two twins.
      KeyedIndex.build(
          directory,
          config(false).setCodec(KeyedIndex.keysApart(ResidentKeys.of("id", "version"), delegate)),
          1,
          DOCUMENTS);
      assertEquals(
          Set.of("_0_Lucene104_0.tim", "_0_Lucene104_1.tim", "_0_Lucene104_2.tim"),
          dictionaries(directory));
      try (ResidentDirectory resident =
              new ResidentDirectory(directory, ResidentKeys.of("id", "version"));
          DirectoryReader reader = DirectoryReader.open(resident)) {
        assertEquals(4, resident.snapshot().files());
        assertVersion("first", reader, 3);
      }
    }
  }

  /** One twin for each instance was kept for ever: a codec that makes one a call leaked. */
  @Test
  void codecThatMakesAFormatACall_isNotRememberedCallByCall() throws IOException {
    List<WeakReference<PostingsFormat>> made = new ArrayList<>();
    Codec delegate =
        new Lucene104Codec() {
          @Override
          public PostingsFormat getPostingsFormatForField(String field) {
            PostingsFormat format = new Lucene104PostingsFormat();
            made.add(new WeakReference<>(format));
            return format;
          }
        };
    Codec codec = KeyedIndex.keysApart(ResidentKeys.of("id", "version"), delegate);
    try (Directory directory = new ByteBuffersDirectory()) {
      KeyedIndex.build(directory, config(false).setCodec(codec), 20, 10);
      assertClean(directory, 200);
    }
    assertTrue(made.size() >= 60, made.size() + " formats");
    System.gc();
    Await.until(
        "one is kept for each key",
        () -> made.stream().filter(format -> format.get() != null).count() <= 2);
    Reference.reachabilityFence(codec);
  }

  /** Its files are what a reopen has to create. */
  @Test
  void smallFlush_leavesTheKeysWhereTheyWere_andTheirMergePutsThemApart() throws IOException {
    ResidentKeys keys = ResidentKeys.of("id");
    try (Directory directory = FSDirectory.open(temp)) {
      KeyedIndex.build(directory, config(false).setCodec(keys.codec()), 3, DOCUMENTS);
      assertEquals(
          Set.of("_0_Lucene104_0.tim", "_1_Lucene104_0.tim", "_2_Lucene104_0.tim"),
          dictionaries(directory));

      try (IndexWriter writer = new IndexWriter(directory, config(false).setCodec(keys.codec()))) {
        writer.forceMerge(1);
      }
      assertEquals(Set.of("_3_Lucene104_0.tim", "_3_Lucene104_1.tim"), dictionaries(directory));
      assertClean(directory, 3 * DOCUMENTS);
    }
  }

  /** By the memory that the documents took, and to the byte. */
  @Test
  void flush_asLargeAsTheBound_isNotSmall() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      long bytes = flushedBytes(directory);
      for (long bound : new long[] {bytes, bytes + 1}) {
        Codec codec = new ResidentKeys.KeysCodec(Codec.getDefault(), Set.of("id"), bound);
        try (Directory index = new ByteBuffersDirectory()) {
          KeyedIndex.build(index, config(false).setCodec(codec), 1, DOCUMENTS);
          assertEquals(bound == bytes ? 2 : 1, dictionaries(index).size(), "bound " + bound);
        }
      }
    }
  }

  /**
   * Each of two groups had all files of the merged segments verified, which read each posting once
   * more than Lucene does without keys apart.
   */
  @Test
  void merge_ofSegmentsWithKeysApart_verifiesEachFileOnce() throws IOException {
    Map<String, Integer> verified = new ConcurrentHashMap<>();
    try (Directory directory =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            return new VerificationCounter(name, in.openInput(name, context), verified);
          }
        }) {
      KeyedIndex.build(directory, config(false, ResidentKeys.of("id")), 3, DOCUMENTS);
      Set<String> inputs = postings(directory);
      verified.clear();

      try (IndexWriter writer = new IndexWriter(directory, config(false, ResidentKeys.of("id")))) {
        writer.forceMerge(1);
      }

      verified.keySet().retainAll(inputs);
      assertEquals(inputs.stream().collect(Collectors.toMap(name -> name, name -> 1)), verified);
    }
  }

  /** Counts the clones that Lucene reads from end to end. */
  private static final class VerificationCounter extends FilterIndexInput {

    private final String name;
    private final Map<String, Integer> verified;

    VerificationCounter(String name, IndexInput in, Map<String, Integer> verified) {
      super(name, in);
      this.name = name;
      this.verified = verified;
    }

    @Override
    public IndexInput clone() {
      if (CallingMethod.verifiesAFile()) {
        verified.merge(name, 1, Integer::sum);
      }
      return in.clone();
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return in.slice(description, offset, length);
    }
  }

  private static Set<String> postings(Directory directory) throws IOException {
    return Arrays.stream(directory.listAll())
        .filter(name -> name.matches(".*\\.(tim|tip|doc|pos)"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static long flushedBytes(Directory directory) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Directory watched =
        new FilterDirectory(directory) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            if (name.endsWith(".tim")) {
              bytes.set(context.flushInfo().estimatedSegmentSize());
            }
            return in.createOutput(name, context);
          }
        };
    KeyedIndex.build(watched, config(false), 1, DOCUMENTS);
    return bytes.get();
  }

  @Test
  void severalKeysOfOneFormat_shareOneGroup() throws IOException {
    try (Directory directory = FSDirectory.open(temp)) {
      KeyedIndex.build(directory, config(false, ResidentKeys.of("id", "version")), 1, DOCUMENTS);
      assertEquals(Set.of("_0_Lucene104_0.tim", "_0_Lucene104_1.tim"), dictionaries(directory));
    }
  }

  @Test
  void delegateThatDoesNotChooseByField_isRefused() {
    Codec one =
        new FilterCodec("One", Codec.getDefault()) {
          @Override
          public PostingsFormat postingsFormat() {
            return PostingsFormat.forName("Lucene104");
          }
        };
    assertEquals(
        "the codec must choose the postings format per field: One",
        assertThrows(IllegalArgumentException.class, () -> ResidentKeys.of("id").codec(one))
            .getMessage());
  }

  private static Set<String> firstThree(Set<String> names) {
    return names.stream().limit(3).collect(Collectors.toSet());
  }

  private static Set<String> dictionaries(Directory directory) throws IOException {
    return Arrays.stream(directory.listAll())
        .filter(name -> name.endsWith(".tim"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
