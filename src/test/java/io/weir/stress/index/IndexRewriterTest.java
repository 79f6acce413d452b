package io.weir.stress.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.stress.SmallIndex;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IndexRewriterTest {

  private static final int DOCUMENTS = 900;

  @TempDir Path temp;

  @Test
  void rewrite_thereAndBack_hasTheSameSegmentsAndDocumentsInTheOtherLayout() throws Exception {
    Path shared = severalSegments();
    Path apart = temp.resolve("apart");
    Path back = temp.resolve("back");

    IndexRewriter rewriter = new IndexRewriter(shared, apart, SmallIndex.APART);
    assertEquals(DOCUMENTS, rewriter.rewrite());
    assertEquals(DOCUMENTS, rewriter.writtenDocuments());
    new IndexRewriter(apart, back, IndexLayout.PLAIN).rewrite();

    assertEquals(keys(shared), keys(apart));
    assertEquals(keys(shared), keys(back));
    assertEquals(compound(shared), compound(apart));
    assertEquals(Set.of(true, false), Set.copyOf(compound(apart)));
    assertEquals(Set.of(1), Set.copyOf(dictionaries(shared)));
    assertEquals(Set.of(2), Set.copyOf(dictionaries(apart)));
    assertEquals(Set.of(1), Set.copyOf(dictionaries(back)));
    try (Directory directory = FSDirectory.open(apart);
        CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  @Test
  void rewrite_compoundAlwaysOrNever_packsEachSegmentOrNone() throws Exception {
    Path plain = severalSegments();
    Path always = temp.resolve("always");
    Path never = temp.resolve("never");
    rewrite(plain, always, IdPostings.RESIDENT, CompoundFiles.ALWAYS);
    rewrite(always, never, IdPostings.DEFAULT, CompoundFiles.NEVER);

    assertEquals(keys(plain), keys(always));
    assertEquals(keys(plain), keys(never));
    assertEquals(Set.of(true), Set.copyOf(compound(always)));
    assertEquals(Set.of(false), Set.copyOf(compound(never)));
    assertEquals(Set.of(2), Set.copyOf(dictionaries(always)));
    assertEquals(Set.of(1), Set.copyOf(dictionaries(never)));
    assertTrue(stamp(plain).isOfOneBuildWith(stamp(always)));
    assertTrue(stamp(plain).isOfOneBuildWith(stamp(never)));
    assertTrue(stamp(never).isOfOneBuildWith(stamp(always)));
    assertEquals(
        new IndexLayout(IdPostings.DEFAULT, CompoundFiles.NEVER, VectorFormat.FLOAT),
        stamp(never).layout());
  }

  /** Of segments that are all or none compound files the sizes have to decide. */
  @Test
  void rewrite_backToLucenesDefault_packsThoseOfUpToATenth() throws Exception {
    Path never =
        SmallIndex.build(
            temp.resolve("never"),
            1000,
            new IndexLayout(IdPostings.DEFAULT, CompoundFiles.NEVER, VectorFormat.FLOAT));
    addSegments(never, SmallIndex.build(temp.resolve("small"), 20));
    assertEquals(Set.of(false), Set.copyOf(compound(never)));
    Path plain = temp.resolve("plain");

    rewrite(never, plain, IdPostings.DEFAULT, CompoundFiles.DEFAULT);

    List<Long> sizes = bytes(never);
    long all = sizes.stream().mapToLong(Long::longValue).sum();
    assertEquals(sizes.stream().map(bytes -> bytes <= all / 10).toList(), compound(plain));
    assertEquals(Set.of(true, false), Set.copyOf(compound(plain)));
  }

  /** And back: the floats are kept beside what is made of them. */
  @ParameterizedTest
  @EnumSource
  void rewrite_anotherVectorFormat_writesItsFilesAndKeepsTheFloats(VectorFormat format)
      throws Exception {
    Documents documents = SmallIndex.documents(300).withVectors("8:50%");
    Path floats = temp.resolve("floats");
    new IndexBuilder(floats, documents, IndexLayout.PLAIN, new ReadProblems(), () -> false).build();
    Path other = temp.resolve("other");
    Path back = temp.resolve("back");
    IndexLayout layout = new IndexLayout(IdPostings.RESIDENT, CompoundFiles.NEVER, format);
    new IndexRewriter(floats, other, layout).rewrite();
    new IndexRewriter(other, back, IndexLayout.PLAIN).rewrite();

    assertEquals(layout, stamp(other).layout());
    assertTrue(stamp(other).matches(documents));
    assertFalse(stamp(other).matches(SmallIndex.documents(300)));
    assertEquals(150, vectors(floats).size());
    assertEquals(vectors(floats), vectors(other));
    assertEquals(vectors(floats), vectors(back));
    try (Directory directory = FSDirectory.open(other)) {
      assertEquals(
          format != VectorFormat.FLOAT,
          Arrays.stream(directory.listAll()).anyMatch(name -> name.endsWith(".veq")),
          Arrays.toString(directory.listAll()));
    }
  }

  private static List<List<Float>> vectors(Path index) throws IOException {
    List<List<Float>> vectors = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        FloatVectorValues values = leaf.reader().getFloatVectorValues(IndexSchema.VECTOR);
        for (int i = 0; i < values.size(); i++) {
          List<Float> vector = new ArrayList<>();
          for (float number : values.vectorValue(i)) {
            vector.add(number);
          }
          vectors.add(vector);
        }
      }
    }
    return vectors;
  }

  @Test
  void rewrite_isOfOneBuildWithItsOriginAlone() throws Exception {
    Path shared = SmallIndex.build(temp.resolve("shared"), 50);
    Path apart = temp.resolve("apart");
    new IndexRewriter(shared, apart, SmallIndex.APART).rewrite();
    IndexStamp copy = stamp(apart);

    assertEquals(SmallIndex.APART, copy.layout());
    assertEquals(50, copy.documents());
    assertTrue(copy.matches(SmallIndex.documents(50)));
    assertTrue(stamp(shared).isOfOneBuildWith(copy));
    assertTrue(copy.isOfOneBuildWith(stamp(shared)));
    assertFalse(copy.isOfOneBuildWith(stamp(SmallIndex.build(temp.resolve("other"), 50))));
  }

  @Test
  void stop_before_commitsNothing() throws Exception {
    Path apart = temp.resolve("apart");
    IndexRewriter rewriter =
        new IndexRewriter(SmallIndex.build(temp.resolve("shared"), 50), apart, SmallIndex.APART);
    rewriter.stop();

    assertEquals(0, rewriter.rewrite());
    try (Directory directory = FSDirectory.open(apart)) {
      assertFalse(DirectoryReader.indexExists(directory));
    }
  }

  private static void rewrite(Path from, Path to, IdPostings ids, CompoundFiles compound)
      throws IOException {
    new IndexRewriter(from, to, new IndexLayout(ids, compound, VectorFormat.FLOAT)).rewrite();
  }

  /** Adds the segments of another index, none of them a compound file. */
  private static void addSegments(Path index, Path more) throws IOException {
    IndexStamp stamp = stamp(index);
    try (Directory directory = FSDirectory.open(index);
        Directory other = FSDirectory.open(more);
        DirectoryReader reader = DirectoryReader.open(other);
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (LeafReaderContext leaf : reader.leaves()) {
        writer.addIndexes((CodecReader) leaf.reader());
      }
      writer.setLiveCommitData(stamp.toCommitData().entrySet());
    }
  }

  private static List<Long> bytes(Path index) throws IOException {
    List<Long> bytes = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index)) {
      for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
        bytes.add(segment.sizeInBytes());
      }
    }
    return bytes;
  }

  private static IndexStamp stamp(Path index) throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return IndexStamp.read(directory).orElseThrow();
    }
  }

  /** Some of them compound files, some not. */
  private Path severalSegments() throws IOException {
    Path index = SmallIndex.build(temp.resolve("shared"), 300);
    try (Directory directory = FSDirectory.open(index);
        Directory more = FSDirectory.open(SmallIndex.build(temp.resolve("more"), 300));
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      writer.addIndexes(more);
      try (DirectoryReader reader = DirectoryReader.open(more)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          writer.addIndexes((CodecReader) leaf.reader()); // these are not packed into one file
        }
      }
      IndexStamp stamp =
          IndexStamp.of(
              SmallIndex.documents(300), OptionalLong.empty(), DOCUMENTS, IndexLayout.PLAIN);
      writer.setLiveCommitData(stamp.toCommitData().entrySet());
    }
    return index;
  }

  private static List<List<String>> keys(Path index) throws IOException {
    List<List<String>> keys = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        List<String> ofSegment = new ArrayList<>();
        for (int i = 0; i < leaf.reader().maxDoc(); i++) {
          ofSegment.add(leaf.reader().storedFields().document(i).get(IndexSchema.KEY));
        }
        keys.add(ofSegment);
      }
    }
    return keys;
  }

  private static List<Boolean> compound(Path index) throws IOException {
    List<Boolean> compound = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index)) {
      for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
        compound.add(segment.info.getUseCompoundFile());
      }
    }
    return compound;
  }

  /** How many terms dictionaries each segment has. */
  private static List<Integer> dictionaries(Path index) throws IOException {
    List<Integer> counts = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index)) {
      for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
        boolean packed = segment.info.getUseCompoundFile();
        try (Directory files =
            packed
                ? segment
                    .info
                    .getCodec()
                    .compoundFormat()
                    .getCompoundReader(directory, segment.info)
                : FSDirectory.open(index)) {
          int count = 0;
          for (String file : files.listAll()) {
            boolean own = packed || file.startsWith(segment.info.name + "_");
            count += own && file.endsWith(".tim") ? 1 : 0;
          }
          counts.add(count);
        }
      }
    }
    return counts;
  }
}
