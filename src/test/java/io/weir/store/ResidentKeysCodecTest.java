package io.weir.store;

import static io.weir.store.KeyedIndex.assertClean;
import static io.weir.store.KeyedIndex.assertVersion;
import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
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
          config(false).setCodec(ResidentKeys.of("id", "version").codec(delegate)),
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
        "the codec must choose the postings format by field: One",
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
