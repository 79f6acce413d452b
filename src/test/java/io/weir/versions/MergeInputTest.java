package io.weir.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.lucene.DocValuesOverlays;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SliceHint;
import io.weir.merge.MergeLab;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.store.DirectoryPlan;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.stress.Await;
import io.weir.suite.ColdFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a merge reads stored fields and term vectors through. Since Lucene 10.6 it reads stored
 * fields through a mapping of its own, where that of searches is not fit for it. With Weir such a
 * file is read from the disk once, too, and unmapped on a thread that holds no lock. {@link
 * LuceneVersionsTest} runs this on versions from 10.5 on.
 *
 * <p>Source: Lucene 10.6.0, {@code
 * Lucene90CompressingStoredFieldsReader.mergeInstanceFieldsStream}, {@code
 * Lucene90CompoundReader.openInput}. Term vectors are read through the mapping of searches.
 */
@Timeout(60)
class MergeInputTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 3000; // some megabytes of stored fields in each segment

  /** What a merge may read beside its input, and the kernel ahead of the end of a file. */
  private static final double MOST_READ = 1.15;

  private static final boolean MERGES_OPEN_THEIR_OWN =
      Version.LATEST.onOrAfter(DocValuesOverlays.SINCE) && MMapDirectory.supportsMadvise();

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void forceMerge_withEachAdvice_readsItsInputOnce_andUnmapsItLate(
      boolean byContext, boolean compound) throws Exception {
    build(compound);
    MMapDirectory files = new MMapDirectory(temp);
    if (byContext) {
      files.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);
    }
    WatchedDirectory below = new WatchedDirectory(files);
    try (Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(below);
        IndexWriter writer = new IndexWriter(weir.directory(), weir.configure(config(compound)));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      assertStored(searchers);
      MergeReadsDirectory reads =
          DirectoryPlan.find(weir.directory(), MergeReadsDirectory.class).orElseThrow();
      ResidentDirectory resident =
          DirectoryPlan.find(weir.directory(), ResidentDirectory.class).orElseThrow();
      long loaded = resident.snapshot().loadedFiles();
      long inputBytes = ColdFiles.drop(temp, 0.25);
      Map<String, Integer> openBefore = below.opened();
      OptionalLong readBefore = readBytes();

      writer.forceMerge(1);

      OptionalLong readAfter = readBytes();
      assertEquals(
          files(".fdt", ".tvd").stream().sorted().toList(),
          below.readByMerges().stream().sorted().toList(),
          "each is verified and copied before the next one: " + below.readByMerges());
      long besideBytes = reads.readAheadBytes();
      assertTrue(
          besideBytes > inputBytes && besideBytes <= 2 * inputBytes,
          besideBytes
              + " bytes of "
              + inputBytes
              + " read beside mappings: to verify, and to merge");
      assertEquals(0, reads.readAheadFaults());
      assertTrue(
          readAfter.orElse(0) - readBefore.orElse(0) <= MOST_READ * inputBytes,
          readBefore + " to " + readAfter + " bytes read of " + inputBytes);
      List<String> input = compound ? files(".cfs") : files(".fdt", ".tvd");
      for (String name : input) {
        boolean twice = byContext && MERGES_OPEN_THEIR_OWN && !name.endsWith(".tvd");
        assertEquals(
            openBefore.get(name) + (twice ? 1 : 0), below.opened().get(name), name + " opened");
      }
      // A second handle of a compound file loads the keys of its segment no second time.
      assertTrue(
          resident.snapshot().loadedFiles() - loaded <= 3, // those of the merged segment
          resident.snapshot().toString());

      searchers.maybeRefreshBlocking(); // lets go of the last readers of the input
      assertStored(searchers);
      for (String name : input) {
        Await.until(
            name + " is unmapped", () -> below.opened().get(name).equals(below.closed().get(name)));
      }
      assertEquals(Set.of("weir-unmap"), below.closers());
    }
    try (Directory plain = new MMapDirectory(temp)) {
      MergeLab.check(plain, SEGMENTS * DOCUMENTS);
    }
  }

  /** The names of files of each segment of the input. */
  private static List<String> files(String... endings) {
    List<String> names = new ArrayList<>();
    for (String ending : endings) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        names.add("_" + segment + ending);
      }
    }
    return names;
  }

  private void build(boolean compound) throws IOException {
    FieldType vectors = new FieldType(TextField.TYPE_NOT_STORED);
    vectors.setStoreTermVectors(true);
    vectors.setStoreTermVectorPositions(true);
    Random random = new Random(42);
    IndexWriterConfig config = config(compound).setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory directory = new MMapDirectory(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = MergeLab.document(segment * DOCUMENTS + i);
          MergeLab.source(document, random);
          MergeLab.text(document, random);
          document.add(new Field("vectors", document.get("body"), vectors));
          writer.addDocument(document);
        }
        writer.flush();
      }
      writer.commit();
    }
  }

  private static IndexWriterConfig config(boolean compound) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    policy.setSegmentsPerTier(100); // only the forced merge
    return new IndexWriterConfig()
        .setMergePolicy(policy)
        .setUseCompoundFile(compound)
        .setMaxFullFlushMergeWaitMillis(0);
  }

  private static void assertStored(SearcherManager searchers) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      int document = searcher.search(new TermQuery(new Term("id", "7")), 1).scoreDocs[0].doc;
      assertEquals("7", searcher.storedFields().document(document).get("id"));
    } finally {
      searchers.release(searcher);
    }
  }

  private static OptionalLong readBytes() {
    return Procfs.SYSTEM.selfIo().map(IoCounters::readBytes).orElse(OptionalLong.empty());
  }

  /** What merges open and read below Weir, and which threads close it; of clones only the reads. */
  private static final class WatchedDirectory extends FilterDirectory {

    private final Map<String, Integer> opened = new ConcurrentHashMap<>();
    private final Map<String, Integer> closed = new ConcurrentHashMap<>();
    private final Set<String> closers = ConcurrentHashMap.newKeySet();
    private final List<String> readByMerges = new CopyOnWriteArrayList<>();

    WatchedDirectory(Directory in) {
      super(in);
    }

    /** How often each file was opened so far. */
    Map<String, Integer> opened() {
      return Map.copyOf(opened);
    }

    Map<String, Integer> closed() {
      return Map.copyOf(closed);
    }

    /** The threads that have closed files, without their numbers. */
    Set<String> closers() {
      return closers;
    }

    /** Stored fields and term vectors, each time that a merge goes from one to another. */
    List<String> readByMerges() {
      return List.copyOf(readByMerges);
    }

    private void read(String name) {
      if ((readByMerges.isEmpty() || !readByMerges.getLast().equals(name))
          && Thread.currentThread().getName().startsWith("Lucene Merge Thread")) {
        readByMerges.add(name);
      }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      if (OpenHints.isReadOnce(context)) {
        return input;
      }
      opened.merge(name, 1, Integer::sum);
      return new Watched(name, input) {
        @Override
        public void close() throws IOException {
          super.close();
          closers.add(Thread.currentThread().getName().replaceAll("[-#0-9]*$", ""));
          closed.merge(name, 1, Integer::sum);
        }
      };
    }

    private class Watched extends ForwardingIndexInput {

      private final String name;
      private final boolean isCopied;

      Watched(String name, IndexInput in) {
        super(in);
        this.name = name;
        this.isCopied = name.matches("_[0-2]\\.(fdt|tvd)"); // of the input
      }

      @Override
      public byte readByte() throws IOException {
        if (isCopied) {
          read(name);
        }
        return in.readByte();
      }

      @Override
      public void readBytes(byte[] bytes, int offset, int length) throws IOException {
        if (isCopied) {
          read(name);
        }
        in.readBytes(bytes, offset, length);
      }

      @Override
      public IndexInput clone() {
        return new Watched(name, in.clone());
      }

      @Override
      protected IndexInput slice(String description, long offset, long length, SliceHint hint)
          throws IOException {
        boolean isFileInside = name.endsWith(".cfs") && description.startsWith("_");
        return new Watched(
            isFileInside ? description : name, hint.slice(in, description, offset, length));
      }
    }
  }
}
