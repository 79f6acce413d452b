package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedFileSystem;
import io.weir.fakes.SteppedFileSystem.Step;
import io.weir.merge.MergeKind;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that loses a part of what a merge writes, and a kernel that reports it only once: to
 * whoever asks first.
 *
 * <p>The file system here is not the machine's own, so writeback asks by {@code force}.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostWriteTest {

  private static final int SEGMENTS = 4;
  private static final int DOCUMENTS_A_SEGMENT = 30;
  private static final int DOCUMENTS = SEGMENTS * DOCUMENTS_A_SEGMENT;

  /** So that a merged segment is long enough to be asked for twice. */
  private static final int DOCUMENT_BYTES = 100_000;

  /** Of so many segments no natural merge is due. */
  private static final int NEVER = 100;

  @TempDir Path temp;

  private final AtomicInteger asked = new AtomicInteger();
  private Weir weir; // the last that was opened
  private volatile int lossAt = -1;
  private volatile String lostFile = "";

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void forceMerge_ofWhichTheDiskLosesAPart_failsAndLosesNothing(double compoundRatio)
      throws Exception {
    int losses = 0;
    for (int index = 0; losses == index; index++) {
      build(temp, SEGMENTS);
      try (Directory directory = directory();
          IndexWriter writer = new IndexWriter(directory, config(compoundRatio, NEVER))) {
        loseAt(index);
        IOException failure = forceMerge(writer);
        if (failure != null) {
          losses++;
          assertInstanceOf(MergeAbortedException.class, failure.getCause(), lostFile);
          assertTrue(failure.getCause().getMessage().contains(lostFile), failure.getMessage());
          add(writer, 1);
          writer.commit();
          waitForMerges(); // forceMerge returns when the writer has done with them, a little sooner
          assertNoLeftovers(directory);
          assertEquals(SEGMENTS + 1, SegmentInfos.readLatestCommit(directory).size(), lostFile);
          writer.forceMerge(1);
        }
      }
      assertWhole(DOCUMENTS + (losses > index ? 1 : 0), 1);
      IOUtils.rm(temp.toAbsolutePath());
    }
    assertTrue(losses >= (compoundRatio > 0 ? 3 : 2), "only " + losses);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void naturalMerge_ofWhichTheDiskLosesAPart_isDoneAgainByTheNext(double compoundRatio)
      throws Exception {
    build(temp, SEGMENTS);
    try (Directory directory = directory();
        IndexWriter writer = new IndexWriter(directory, config(compoundRatio, SEGMENTS))) {
      loseAt(compoundRatio > 0 ? 2 : 0);
      writer.maybeMerge();
      waitForMerges();
      assertTrue(!lostFile.isEmpty(), "nothing was lost");
      assertEquals(compoundRatio > 0, lostFile.endsWith(".cfs"), lostFile);
      assertTrue(writer.isOpen());
      assertEquals(1, weir.scheduler().totals(MergeKind.NATURAL).aborted());
      assertEquals(0, weir.scheduler().totals(MergeKind.NATURAL).done());
      assertNoLeftovers(directory);
      add(writer, 1);
      writer.commit(); // finds the merge that is still to be done
      waitForMerges();
      assertEquals(1, weir.scheduler().totals(MergeKind.NATURAL).done());
      assertEquals(DOCUMENTS + 1, writer.getDocStats().numDocs);
    }
    assertWhole(DOCUMENTS + 1, 2);
  }

  @Test
  void addIndexesOfDirectories_ofWhichTheDiskLosesAPart_failsAndAddsNothing() throws Exception {
    Path source = temp.resolveSibling(temp.getFileName() + "-source");
    build(source, 1);
    try (Directory from = FSDirectory.open(source);
        IndexWriter merging = new IndexWriter(from, new IndexWriterConfig())) {
      for (int i = 0; i < 3; i++) {
        add(merging, DOCUMENTS_A_SEGMENT);
      }
      merging.forceMerge(1);
    }
    build(temp, 1);
    try (Directory directory = directory();
        Directory from = FSDirectory.open(source);
        IndexWriter writer = new IndexWriter(directory, config(0, NEVER))) {
      loseAt(0);
      IOException failure = assertThrows(IOException.class, () -> writer.addIndexes(from));
      assertEquals(IOException.class, failure.getClass());
      assertTrue(failure.getMessage().contains(lostFile), failure.getMessage());
      assertTrue(writer.isOpen());
      writer.commit();
      assertNoLeftovers(directory);
      assertEquals(DOCUMENTS_A_SEGMENT, writer.getDocStats().numDocs);
      writer.addIndexes(from);
    } finally {
      IOUtils.rm(source);
    }
    assertWhole(DOCUMENTS_A_SEGMENT + DOCUMENTS, 2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void addIndexesOfReaders_ofWhichTheDiskLosesAPart_failsAndAddsNothing(double compoundRatio)
      throws Exception {
    Path source = temp.resolveSibling(temp.getFileName() + "-source");
    build(source, SEGMENTS);
    int losses = 0;
    for (int index = 0; losses == index; index++) {
      build(temp, 1);
      try (Directory directory = directory();
          Directory from = FSDirectory.open(source);
          DirectoryReader reader = DirectoryReader.open(from);
          IndexWriter writer = new IndexWriter(directory, config(compoundRatio, NEVER))) {
        CodecReader[] readers =
            reader.leaves().stream()
                .map(LeafReaderContext::reader)
                .map(CodecReader.class::cast)
                .toArray(CodecReader[]::new);
        loseAt(index);
        try {
          writer.addIndexes(readers);
        } catch (IOException e) {
          losses++;
          assertTrue(e.getMessage().contains(lostFile), e.getMessage());
          assertTrue(writer.isOpen());
          writer.commit();
          waitForMerges(); // addIndexes returns when the writer has done with them, a little sooner
          assertNoLeftovers(directory);
          assertEquals(DOCUMENTS_A_SEGMENT, writer.getDocStats().numDocs);
          writer.addIndexes(readers);
        }
      }
      assertWhole(DOCUMENTS_A_SEGMENT + DOCUMENTS, 2);
      IOUtils.rm(temp.toAbsolutePath());
    }
    IOUtils.rm(source);
    assertTrue(losses >= (compoundRatio > 0 ? 3 : 2), "only " + losses);
  }

  private Directory directory() throws IOException {
    weir =
        Weir.builder()
            .keys(ResidentKeys.of("id"))
            .open(FSDirectory.open(SteppedFileSystem.of(temp, this::step)));
    return weir.directory();
  }

  private void loseAt(int index) {
    lostFile = "";
    asked.set(0);
    lossAt = index;
  }

  private void step(Step step, String file) throws IOException {
    if (step == Step.WRITEBACK && asked.getAndIncrement() == lossAt) {
      lostFile = file;
      throw new IOException("Input/output error");
    }
  }

  private IndexWriterConfig config(double compoundRatio, int mergeFactor) {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(mergeFactor);
    policy.setMinMergeDocs(1);
    policy.setNoCFSRatio(compoundRatio);
    policy.setMaxCFSSegmentSizeMB(Double.POSITIVE_INFINITY);
    return weir.configure(
        new IndexWriterConfig().setMergePolicy(policy).setUseCompoundFile(compoundRatio > 0));
  }

  private static IOException forceMerge(IndexWriter writer) {
    try {
      writer.forceMerge(1);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private void waitForMerges() {
    weir.scheduler().sync();
  }

  private static void build(Path path, int segments) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < segments; segment++) {
        add(writer, DOCUMENTS_A_SEGMENT);
        writer.flush();
      }
    }
  }

  private static void add(IndexWriter writer, int documents) throws IOException {
    Random random = new Random(3);
    byte[] value = new byte[documents == 1 ? 10 : DOCUMENT_BYTES];
    for (int i = 0; i < documents; i++) {
      random.nextBytes(value);
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
      document.add(new BinaryDocValuesField("value", new BytesRef(value.clone())));
      writer.addDocument(document);
    }
  }

  /** Every file is one of the last commit. */
  private static void assertNoLeftovers(Directory directory) throws IOException {
    Collection<String> committed = SegmentInfos.readLatestCommit(directory).files(true);
    Set<String> left = new TreeSet<>(List.of(directory.listAll()));
    left.removeAll(committed);
    left.remove(IndexWriter.WRITE_LOCK_NAME);
    assertEquals(Set.of(), left);
  }

  private void assertWhole(int documents, int segments) throws IOException {
    try (Directory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      assertTrue(check.checkIndex().clean, Arrays.toString(stock.listAll()));
      assertEquals(documents, reader.numDocs());
      assertEquals(segments, reader.leaves().size());
    }
  }
}
