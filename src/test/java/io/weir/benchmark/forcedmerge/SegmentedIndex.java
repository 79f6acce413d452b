package io.weir.benchmark.forcedmerge;

import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
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
    try (Directory directory = FSDirectory.open(path)) {
      build(directory, segments, documentsInSegment, 0);
    }
  }

  /** Also with so many numbers in each document, as doc values and as points. */
  public static void build(Directory directory, int segments, int documentsInSegment, int numbers)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(RAM_BUFFER_MB);
    int documents = segments * documentsInSegment;
    Random random = new Random(SEED);
    try (IndexWriter writer = new IndexWriter(directory, config);
        DocumentReader reader =
            DocumentSources.parse("synthetic:" + documents, SEED).open(new ReadProblems())) {
      for (int i = 0; i < documents; i++) {
        Document document =
            IndexSchema.document(DocumentKeys.of(i, SEED), reader.next(), Optional.empty());
        for (int number = 0; number < numbers; number++) {
          document.add(new LongField("n" + number, random.nextLong(), Field.Store.NO));
        }
        writer.addDocument(document);
        if ((i + 1) % documentsInSegment == 0) {
          writer.flush();
        }
      }
      writer.commit();
    }
  }
}
