package io.weir.stress.arm.load;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * The texts of updates: an index's own documents from the first one on, and over again. Malformed
 * input among them is what the run that made the index has warned of, so it is not counted again.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the documents it reads. <b>Failure:</b> {@link
 * IOException} when there are fewer documents than were indexed.
 */
public final class UpdateTexts implements Closeable {

  private final DocumentSource source;
  private final long documents;
  private DocumentReader reader;
  private long read; // by this reader

  /**
   * Texts of which none has been read.
   *
   * @param from what the index was made from
   * @param documents how many it holds
   */
  public UpdateTexts(Documents from, long documents) throws IOException {
    this.source = DocumentSources.parse(from.source(), from.seed());
    this.documents = documents;
    this.reader = source.open(new ReadProblems());
  }

  /** The next one. */
  public CorpusDocument next() throws IOException {
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
