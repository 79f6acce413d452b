package io.weir.stress.arm.load;

import io.weir.corpus.CorpusDocument;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.UpdateMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.index.IndexWriter;

/**
 * Replaces documents that are chosen at random, or adds new ones, with {@link UpdateTexts}.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the documents it reads; not the writer.
 */
public final class Updater implements OpenLoop.Operation, Closeable {

  private final IndexWriter writer;
  private final UpdateMode mode;
  private final SoftDeletes softDeletes;
  private final long seed;
  private final long documents;
  private final UpdateTexts texts;
  private final SplittableRandom random;
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
    this.seed = from.seed();
    this.documents = documents;
    this.texts = new UpdateTexts(from, documents);
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    CorpusDocument text = texts.next();
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
    texts.close();
  }

  private String anyKey() {
    return DocumentKeys.of(random.nextLong(documents), seed);
  }
}
