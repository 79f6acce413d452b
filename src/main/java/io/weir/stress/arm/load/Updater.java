package io.weir.stress.arm.load;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.UpdateMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/**
 * Replaces documents that are chosen at random, or adds new ones, with the texts of the index's own
 * documents, from the first one on and over again. Malformed input among them is what the run that
 * made the index has warned of, so it is not counted again.
 *
 * <p><b>Threads:</b> any; documents are taken by one after the other. <b>Ownership:</b> closes the
 * documents it reads. <b>Failure:</b> {@link IOException} when there are fewer documents than were
 * indexed.
 */
public final class Updater implements OpenLoop.Operation, Closeable {

  /**
   * A document that replaces the one with its key, or is a new one.
   *
   * @param key as {@link DocumentKeys} makes it
   * @param vector that of the text
   */
  public record Update(String key, CorpusDocument text, Optional<float[]> vector) {

    /** As it is indexed. */
    public Document toDocument() {
      return IndexSchema.document(key, text, vector);
    }
  }

  /** What updates are sent to. */
  @FunctionalInterface
  public interface Sink {

    /** Does all of {@code updates}, which were due at the same time. */
    void update(List<Update> updates, long dueNanos) throws Exception;
  }

  /**
   * A writer in this JVM.
   *
   * @param softDeletes the writer's, for {@link UpdateMode#SOFT_UPDATE}
   */
  public record ToWriter(IndexWriter writer, UpdateMode mode, SoftDeletes softDeletes)
      implements Sink {

    @Override
    public void update(List<Update> updates, long dueNanos) throws IOException {
      for (Update update : updates) {
        update(update);
      }
    }

    /** One of them. */
    public void update(Update update) throws IOException {
      Term key = IndexSchema.keyTerm(update.key());
      Document document = update.toDocument();
      switch (mode) {
        case UPDATE -> writer.updateDocument(key, document);
        case SOFT_UPDATE -> softDeletes.update(writer, key, document);
        case ADD -> writer.addDocument(document);
      }
    }
  }

  private final Sink sink;
  private final int atOnce;
  private final UpdateMode mode;
  private final long documents;
  private final long seed;
  private final SplittableRandom random;
  private final DocumentSource source;
  private final DocumentVectors vectors;
  private DocumentReader reader; // guarded by this, as the two below
  private long read; // by this reader
  private long added;

  /**
   * An updater that has done nothing yet.
   *
   * @param atOnce how many updates one call does
   * @param from what the index was made from
   * @param documents how many it holds
   */
  public Updater(Sink sink, int atOnce, UpdateMode mode, Documents from, long documents)
      throws IOException {
    this.sink = sink;
    this.atOnce = atOnce;
    this.mode = mode;
    this.documents = documents;
    this.seed = from.seed();
    this.random = new SplittableRandom(seed);
    this.source = DocumentSources.parse(from.source(), from.seed());
    this.vectors = DocumentVectors.of(from);
    this.reader = source.open(new ReadProblems());
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws Exception {
    sink.update(next(), dueNanos);
  }

  private synchronized List<Update> next() throws IOException {
    List<Update> updates = new ArrayList<>(atOnce);
    for (int i = 0; i < atOnce; i++) {
      long number = mode == UpdateMode.ADD ? documents + added++ : random.nextLong(documents);
      CorpusDocument text = nextText();
      updates.add(new Update(DocumentKeys.of(number, seed), text, vectors.of(read - 1, text)));
    }
    return updates;
  }

  private CorpusDocument nextText() throws IOException {
    if (read == documents) { // the source may hold more than were indexed
      reader.close();
      reader = source.open(new ReadProblems());
      read = 0;
    }
    CorpusDocument text = Optional.ofNullable(reader.next()).orElseThrow(this::tooFew);
    read++;
    return text;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private IOException tooFew() {
    return new IOException(
        "documents must be the %d that were indexed, now there are only %d: %s"
            .formatted(documents, read, source.describe()));
  }
}
