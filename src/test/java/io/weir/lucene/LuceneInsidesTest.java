package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that Weir knows of Lucene's insides, held against the Lucene that is there. A failure
 * names the predicate and the version that broke it.
 */
class LuceneInsidesTest {

  private static final String BROKEN_BY = "broken by Lucene " + Version.LATEST + ": ";

  /** Which test holds what is in the package against a real Lucene. */
  private static final Map<Class<?>, String> HELD_BY =
      Map.ofEntries(
          Map.entry(SegmentFiles.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(ReaderMessages.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(StackFrames.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(MappedInputs.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(OpenHints.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(DocValuesOverlays.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(VectorGraphs.class, "io.weir.merge.GraphMergeTest"),
          Map.entry(LuceneGaps.class, "io.weir.versions.ThisLuceneTest"),
          Map.entry(ForwardingIndexInput.class, "io.weir.store.EveryLayerForwardsTest"),
          Map.entry(InputCalls.class, "io.weir.store.EveryLayerForwardsTest"),
          Map.entry(SliceHint.class, "io.weir.store.EveryLayerForwardsTest"),
          Map.entry(FinishedSegment.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(FieldInfosFile.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(FileRange.class, "io.weir.lucene.TermsOfFieldsTest"),
          Map.entry(TermsOfFields.class, "io.weir.lucene.TermsOfFieldsTest"),
          Map.entry(CompoundSlices.class, "io.weir.lucene.LuceneInsidesTest"),
          Map.entry(Merges.class, "io.weir.lucene.MergesTest"),
          Map.entry(CallingMethod.class, "io.weir.lucene.CallingMethodTest"),
          Map.entry(ConstantScores.class, "io.weir.cache.OffHeapQueryCacheTest"),
          Map.entry(MergeAborts.class, "io.weir.LostWriteTest"),
          Map.entry(WriterReaders.class, "io.weir.lucene.WriterReadersTest"));

  @TempDir Path temp;

  @Test
  void package_everyPublicClass_isHeldByATest() throws Exception {
    for (String test : HELD_BY.values()) {
      Class.forName(test);
    }
    Set<String> held =
        HELD_BY.keySet().stream()
            .map(Class::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known =
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackagesOf(SegmentFiles.class)
                .stream()
                .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(known, held);
  }

  @Test
  void docValuesOverlays_areKept_orRefusedByAnOlderLucene() {
    IndexWriterConfig config = new IndexWriterConfig();
    if (Version.LATEST.onOrAfter(DocValuesOverlays.SINCE)) {
      DocValuesOverlays.keep(8, config);
      assertTrue(config.toString().contains("maxDocValuesOverlays=8\n"), BROKEN_BY + config);
    } else {
      assertEquals(
          "doc-values overlays need Lucene 10.6.0 or newer: " + Version.LATEST,
          assertThrows(UnsupportedOperationException.class, () -> DocValuesOverlays.keep(8, config))
              .getMessage());
    }
  }

  @Test
  void segmentFiles_namesOfARealIndex() throws Exception {
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setUseCompoundFile(false))) {
      add(writer, 1);
      writer.commit();
      assertOne(directory, "isSegmentInfo", SegmentFiles::isSegmentInfo);
      Set<String> files = new TreeSet<>(List.of(directory.listAll()));
      assertTrue(files.contains(SegmentFiles.fieldInfosOf("_0")), BROKEN_BY + "fieldInfosOf");
      assertTrue(files.contains(SegmentFiles.segmentInfoOf("_0")), BROKEN_BY + "segmentInfoOf");
      Set<String> dictionary =
          files.stream().filter(SegmentFiles::isTermsDictionary).collect(Collectors.toSet());
      assertEquals(2, dictionary.size(), BROKEN_BY + "isTermsDictionary " + files);
      for (String name : dictionary) {
        assertTrue(
            dictionary.contains(SegmentFiles.termsBlocksOf(name)), BROKEN_BY + "termsBlocksOf");
        assertEquals("_0", SegmentFiles.segmentOf(name), BROKEN_BY + "segmentOf");
      }
      try (var temporary = directory.createTempOutput("_0", "sort", IOContext.DEFAULT)) {
        assertTrue(SegmentFiles.isTemporary(temporary.getName()), BROKEN_BY + "isTemporary");
        assertEquals("_0", SegmentFiles.segmentOf(temporary.getName()), BROKEN_BY + "segmentOf");
      }
    }
  }

  @Test
  void segmentFiles_namesOfACompoundSegment() throws Exception {
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      add(writer, 1);
      writer.commit();
      assertOne(directory, "isCompoundData", SegmentFiles::isCompoundData);
      long compound = Arrays.stream(directory.listAll()).filter(SegmentFiles::isCompound).count();
      assertEquals(2, compound, BROKEN_BY + "isCompound");
    }
  }

  @Test
  void finishedSegment_ofACompoundSegment_hasItsFiles_andTheirGroups() throws Exception {
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      add(writer, 1);
      writer.commit();
      try (Directory files = FinishedSegment.open(directory, "_0")) {
        byte[] bytes;
        try (IndexInput input =
            files.openInput(SegmentFiles.fieldInfosOf("_0"), IOContext.DEFAULT)) {
          bytes = new byte[(int) input.length()];
          input.readBytes(bytes, 0, bytes.length);
        }
        FieldInfo id = FieldInfosFile.read("_0", bytes).fieldInfo("id");
        String group = FieldInfosFile.postingsGroupOf(id).orElseThrow();
        List<String> names = List.of(files.listAll());
        String blocks = SegmentFiles.termsBlocks("_0", group);
        assertTrue(names.contains(blocks), BROKEN_BY + "termsBlocks " + names);
        assertTrue(
            names.contains(SegmentFiles.termsIndex("_0", group)),
            BROKEN_BY + "termsIndex " + names);
        assertEquals(SegmentFiles.termsIndex("_0", group), SegmentFiles.termsIndexOf(blocks));
      }
    }
  }

  @Test
  void compoundSlices_ofASegmentThatIsOpened_comeInTheKnownOrder() throws Exception {
    List<String> slices = new ArrayList<>();
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      add(writer, 1);
      writer.commit();
      DirectoryReader.open(new SliceNames(directory, slices)).close();
    }
    assertTrue(CompoundSlices.isFieldInfos(slices.getFirst(), "_0"), BROKEN_BY + slices);
    List<String> dictionary = slices.stream().filter(CompoundSlices::isReadByLookups).toList();
    assertEquals(2, dictionary.size(), BROKEN_BY + "isReadByLookups " + slices);
    assertEquals(
        SegmentFiles.termsBlocksOf(dictionary.get(1)), dictionary.get(0), BROKEN_BY + slices);
  }

  @Test
  void readerMessages_ofARealReopen_tellEachStepInOrder() throws Exception {
    List<ReaderMessages.Step> all = new ArrayList<>();
    List<ReaderMessages.Step> steps;
    InfoStream log =
        new InfoStream() {
          @Override
          public void message(String component, String message) {
            ReaderMessages.step(component, message).ifPresent(all::add);
          }

          @Override
          public boolean isEnabled(String component) {
            return ReaderMessages.isOf(component);
          }

          @Override
          public void close() {}
        };
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setInfoStream(log))) {
      add(writer, 1);
      DirectoryReader.open(writer).close();
      add(writer, 1); // deletes the first
      all.clear();
      DirectoryReader.open(writer).close();
      steps = List.copyOf(all); // closing the writer says more
    }
    assertEquals(
        new TreeSet<>(List.of(ReaderMessages.Step.values())),
        new TreeSet<>(steps),
        BROKEN_BY + "ReaderMessages.step");
    assertEquals(ReaderMessages.Step.FLUSH_BEGINS, steps.getFirst(), BROKEN_BY + steps);
    int made = steps.indexOf(ReaderMessages.Step.READER_MADE);
    assertTrue(made > steps.lastIndexOf(ReaderMessages.Step.DELETES_END), BROKEN_BY + steps);
    assertTrue(steps.indexOf(ReaderMessages.Step.RETURNS) > made, BROKEN_BY + steps);
  }

  static Map<String, String> framesWithTheirClass() {
    return Map.of(
        StackFrames.MAYBE_STALL, "index.ConcurrentMergeScheduler",
        StackFrames.AWAIT_MERGES, "index.MergePolicy$MergeSpecification",
        StackFrames.MERGE, "index.IndexWriter",
        StackFrames.GET_SEARCHER, "search.SearcherManager",
        StackFrames.NOTIFY_LISTENERS, "search.ReferenceManager",
        StackFrames.FILE_OUTPUT_WRITE, "store.FSDirectory$FSIndexOutput$1",
        StackFrames.NEW_SEGMENT_READER, "index.SegmentReader",
        StackFrames.NEW_SEGMENT_CORE_READERS, "index.SegmentCoreReaders");
  }

  static Set<Map.Entry<String, String>> frames() {
    return framesWithTheirClass().entrySet();
  }

  @ParameterizedTest
  @MethodSource("frames")
  void stackFrames_areMethodsOfLucene(Map.Entry<String, String> frame) throws Exception {
    String method = frame.getKey().substring(frame.getKey().lastIndexOf('.') + 1);
    Class<?> type =
        Class.forName(
            "org.apache.lucene." + frame.getValue(), false, IndexWriter.class.getClassLoader());
    boolean found =
        method.equals("<init>")
            || Arrays.stream(type.getDeclaredMethods())
                .anyMatch(m -> m.getName().startsWith(method));
    assertTrue(found, BROKEN_BY + "StackFrames " + frame);
    String name = type.getName() + "." + method;
    assertTrue(name.contains(frame.getKey()), BROKEN_BY + "StackFrames " + frame);
  }

  @Test
  void stackFrames_ofAParts_areClassesOfLucene() throws Exception {
    String frozen = "org.apache.lucene." + StackFrames.FROZEN_UPDATES;
    assertEquals(frozen, Class.forName(frozen).getName());
    String terms = "org.apache.lucene.index." + StackFrames.TERMS_ENUM;
    assertEquals(terms, Class.forName(terms).getName());
  }

  @Test
  void inputs_ofEachDirectory_areKnown() throws Exception {
    assertTrue(OpenHints.isReadOnce(IOContext.READONCE), BROKEN_BY + "isReadOnce");
    assertTrue(!OpenHints.isReadOnce(IOContext.DEFAULT), BROKEN_BY + "isReadOnce");
    assertTrue(isNeverMapped(new NIOFSDirectory(temp)), BROKEN_BY + "isNeverMapped");
    assertTrue(isNeverMapped(new ByteBuffersDirectory()), BROKEN_BY + "isNeverMapped");
    assertTrue(!isNeverMapped(new MMapDirectory(temp)), BROKEN_BY + "isNeverMapped");
  }

  @Test
  void openHints_ofAFlushAndAMerge_tellThePurposeAndTheSize() throws Exception {
    Map<String, IOContext> contexts = new TreeMap<>();
    try (Directory directory = new Contexts(contexts);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      add(writer, 1);
      writer.flush();
      add(writer, 2);
      writer.flush();
      writer.forceMerge(1);
    }
    IOContext flush = contexts.get(SegmentFiles.segmentInfoOf("_0"));
    assertEquals(OpenHints.Purpose.FLUSH, OpenHints.purpose(flush), BROKEN_BY + flush);
    assertTrue(OpenHints.flushBytes(flush).getAsLong() > 0, BROKEN_BY + flush);
    assertTrue(OpenHints.mergeBytes(flush).isEmpty(), BROKEN_BY + flush);
    assertTrue(!OpenHints.isForMerge(flush), BROKEN_BY + flush);
    IOContext merge = contexts.get(SegmentFiles.segmentInfoOf("_2"));
    assertEquals(OpenHints.Purpose.MERGE, OpenHints.purpose(merge), BROKEN_BY + merge);
    assertTrue(OpenHints.mergeBytes(merge).getAsLong() > 0, BROKEN_BY + merge);
    assertTrue(OpenHints.flushBytes(merge).isEmpty(), BROKEN_BY + merge);
    assertTrue(OpenHints.isForMerge(merge), BROKEN_BY + merge);
    assertEquals(OpenHints.Purpose.OTHER, OpenHints.purpose(IOContext.DEFAULT), BROKEN_BY);
  }

  private static boolean isNeverMapped(Directory directory) throws IOException {
    try (directory) {
      try (var output = directory.createOutput("_0.pos", IOContext.DEFAULT)) {
        output.writeLong(1);
      }
      try (IndexInput input = directory.openInput("_0.pos", IOContext.DEFAULT)) {
        return MappedInputs.isNeverMapped(input) && MappedInputs.isNeverMapped(input.clone());
      } finally {
        directory.deleteFile("_0.pos");
      }
    }
  }

  private static void assertOne(Directory directory, String predicate, Predicate<String> test)
      throws IOException {
    List<String> found = Arrays.stream(directory.listAll()).filter(test).toList();
    assertEquals(1, found.size(), BROKEN_BY + predicate + " " + found);
  }

  private static void add(IndexWriter writer, int id) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", "" + id, Field.Store.YES));
    writer.updateDocument(new Term("id", "" + id), document);
  }

  /** Notes how slices of compound files are described. */
  private static final class SliceNames extends FilterDirectory {

    private final List<String> slices;

    SliceNames(Directory in, List<String> slices) {
      super(in);
      this.slices = slices;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      return SegmentFiles.isCompoundData(name)
          ? new FilterIndexInput(name, input) {
            @Override
            public IndexInput slice(String slice, long offset, long length) throws IOException {
              slices.add(slice);
              return in.slice(slice, offset, length);
            }

            @Override
            public IndexInput slice(String slice, long offset, long length, IOContext context)
                throws IOException {
              slices.add(slice);
              return in.slice(slice, offset, length, context);
            }
          }
          : input;
    }
  }

  /** Notes the contexts of files that are written. */
  private static final class Contexts extends FilterDirectory {

    private final Map<String, IOContext> contexts;

    Contexts(Map<String, IOContext> contexts) {
      super(new ByteBuffersDirectory());
      this.contexts = contexts;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      contexts.put(name, context);
      return in.createOutput(name, context);
    }
  }
}
