package io.weir.benchmark.forcedmerge;

import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** An index of synthetic text in so many segments of the same size, the same each time. */
public final class SegmentedIndex {

  private static final long SEED = 1;
  private static final double RAM_BUFFER_MB = 512;

  private SegmentedIndex() {}

  /** Builds it; nothing may be there yet. */
  public static void build(Path path, int segments, int documentsInSegment) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(RAM_BUFFER_MB);
    int documents = segments * documentsInSegment;
    try (Directory directory = FSDirectory.open(path);
        IndexWriter writer = new IndexWriter(directory, config);
        DocumentReader reader =
            DocumentSources.parse("synthetic:" + documents, SEED).open(new ReadProblems())) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(
            IndexSchema.document(DocumentKeys.of(i, SEED), reader.next(), Optional.empty()));
        if ((i + 1) % documentsInSegment == 0) {
          writer.flush();
        }
      }
      writer.commit();
    }
  }
}
