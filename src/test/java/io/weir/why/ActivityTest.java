package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which work a stack is of, by its Lucene methods, innermost first. */
class ActivityTest {

  private static final String LUCENE = "org.apache.lucene.";

  @ParameterizedTest
  @CsvSource({
    "search.IndexSearcher.search, SEARCH",
    "codecs.lucene90.compressing.Lucene90CompressingStoredFieldsReader.document, SEARCH",
    "codecs.x.XStoredFieldsReader.document index.SegmentMerger.merge index.IndexWriter.merge, MERGE",
    "index.IndexWriter.merge search.ReferenceManager.maybeRefresh, REFRESH",
    "index.DocumentsWriterPerThread.flush index.IndexWriter.prepareCommitInternal, COMMIT",
    "index.DocumentsWriterPerThread.flush index.IndexWriter.updateDocument, FLUSH",
    "index.IndexWriter.updateDocument, INDEXING",
    "store.ByteBuffersDirectory.fileLength, OTHER"
  })
  void of_aStack_isItsWork(String methods, Activity work) {
    assertEquals(
        work,
        Activity.of(
            Stream.of(methods.split(" "))
                .map(
                    method -> {
                      int dot = method.lastIndexOf('.');
                      return new StackTraceElement(
                          LUCENE + method.substring(0, dot), method.substring(dot + 1), null, 1);
                    })
                .toList()));
  }
}
