package io.weir.stress.arm.load;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.UpdateMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.lucene.index.IndexWriter;

/**
 * Replaces documents that are chosen at random, or adds new ones. The texts are the index's own
 * documents from the first one on, and over again.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the documents it reads; not the writer.
 */
public final class Updater implements OpenLoop.Operation, Closeable {

  private final IndexWriter writer;
  private final UpdateMode mode;
  private final SoftDeletes softDeletes;
  private final DocumentSource source;
  private final long seed;
  private final long documents;
  private final ReadProblems problems = new ReadProblems();
  private final SplittableRandom random;
  private DocumentReader reader;
  private long readTexts; // of this reader
  private long added;

  /**
   * An updater that has done nothing yet.
   *
   * @param softDeletes the writer's, for {@link UpdateMode#SOFT_UPDATE}
   * @param from what the index was built from
   * @param documents how many it holds
   */
  public Updater(
      IndexWriter writer, UpdateMode mode, SoftDeletes softDeletes, Documents from, long documents)
      throws IOException {
    this.writer = writer;
    this.mode = mode;
    this.softDeletes = softDeletes;
    this.source = DocumentSources.parse(from.source(), from.seed());
    this.seed = from.seed();
    this.documents = documents;
    this.random = new SplittableRandom(seed);
    this.reader = source.open(problems);
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    CorpusDocument text = nextText();
    switch (mode) {
      case UPDATE -> {
        String key = anyKey();
        writer.updateDocument(IndexSchema.keyTerm(key), IndexSchema.document(key, text));
      }
      case SOFT_UPDATE -> {
        String key = anyKey();
        softDeletes.update(writer, IndexSchema.keyTerm(key), IndexSchema.document(key, text));
      }
      case ADD -> {
        String key = DocumentKeys.of(documents + added++, seed);
        writer.addDocument(IndexSchema.document(key, text));
      }
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private String anyKey() {
    return DocumentKeys.of(random.nextLong(documents), seed);
  }

  private CorpusDocument nextText() throws IOException {
    if (readTexts == documents) { // the source may hold more than were indexed
      reader.close();
      reader = source.open(problems);
      readTexts = 0;
    }
    CorpusDocument text = Optional.ofNullable(reader.next()).orElseThrow(this::tooFew);
    readTexts++;
    return text;
  }

  private IOException tooFew() {
    return new IOException(
        "documents must be the %d that were indexed, now there are only %d: %s"
            .formatted(documents, readTexts, source.describe()));
  }
}
