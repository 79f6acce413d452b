package io.weir.stress.index;

import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/**
 * What an index was built from, kept in its commit so that a later run knows whether it may use it.
 *
 * @param documents how many it holds
 */
public record IndexStamp(int schema, String source, long seed, long maxDocuments, long documents) {

  private static final String SCHEMA = "weir.schema";
  private static final String SOURCE = "weir.source";
  private static final String SEED = "weir.seed";
  private static final String MAX_DOCUMENTS = "weir.maxDocuments";
  private static final String DOCUMENTS = "weir.documents";

  /** The stamp of an index of {@code documents}. */
  static IndexStamp of(Documents wanted, long documents) {
    return new IndexStamp(
        IndexSchema.VERSION, wanted.source(), wanted.seed(), wanted.maxDocuments(), documents);
  }

  /**
   * The stamp of the index in {@code directory}; empty when it is not one that was built by this
   * class.
   */
  public static Optional<IndexStamp> read(Directory directory) throws IOException {
    Map<String, String> data = SegmentInfos.readLatestCommit(directory).getUserData();
    try {
      return Optional.of(
          new IndexStamp(
              Integer.parseInt(data.get(SCHEMA)),
              data.get(SOURCE),
              Long.parseLong(data.get(SEED)),
              Long.parseLong(data.get(MAX_DOCUMENTS)),
              Long.parseLong(data.get(DOCUMENTS))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether a run that wants {@code wanted} would have built this very index. */
  public boolean matches(Documents wanted) {
    return equals(of(wanted, documents));
  }

  /** As the commit keeps it. */
  Map<String, String> toCommitData() {
    return Map.of(
        SCHEMA, Integer.toString(schema),
        SOURCE, source,
        SEED, Long.toString(seed),
        MAX_DOCUMENTS, Long.toString(maxDocuments),
        DOCUMENTS, Long.toString(documents));
  }

  @Override
  public String toString() {
    return documents
        + " documents of "
        + source
        + " (seed "
        + seed
        + (maxDocuments > 0 ? ", at most " + maxDocuments : "")
        + ", schema "
        + schema
        + ")";
  }
}
