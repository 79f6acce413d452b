package io.weir.stress.arm.load;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;

/**
 * How search engines replace a document: the old one stays, marked by a doc-values update, and
 * merges keep it while its operation is among the last {@value #RETAINED_OPERATIONS}.
 *
 * <p>Each operation has a sequence number, a point and doc values of the document it writes.
 * Documents that the index began with have none: they are older than every operation.
 *
 * <p>Readers of the writer leave such documents out by themselves, because the writer has the field
 * in its configuration. Others need {@link #live}.
 *
 * <p><b>Threads:</b> {@link #update} from one, the merge policy from any.
 *
 * <p>Source: OpenSearch 3 and Elasticsearch 9, {@code InternalEngine} (writer, reader, update) and
 * {@code SoftDeletesPolicy} (retention query).
 */
public final class SoftDeletes {

  /** The field that marks a document; engines call it so. */
  static final String FIELD = "__soft_deletes";

  /** How many operations merges keep, at least. */
  static final long RETAINED_OPERATIONS = 1000;

  private static final String SEQUENCE_NUMBER = "_seq_no";

  private final AtomicLong operations = new AtomicLong();

  /** Has a writer keep what is replaced; {@code policy} is the one it has without that. */
  public MergePolicy retaining(IndexWriterConfig config, MergePolicy policy) {
    config.setSoftDeletesField(FIELD);
    return new SoftDeletesRetentionMergePolicy(FIELD, this::retained, policy);
  }

  /** Replaces the document that {@code key} finds. */
  public void update(IndexWriter writer, Term key, Document document) throws IOException {
    long number = operations.getAndIncrement();
    document.add(new LongPoint(SEQUENCE_NUMBER, number));
    document.add(new NumericDocValuesField(SEQUENCE_NUMBER, number));
    writer.softUpdateDocument(key, document, new NumericDocValuesField(FIELD, 1));
  }

  /** {@code reader}, of a directory and perhaps without any, less what has been replaced. */
  public static DirectoryReader live(DirectoryReader reader) throws IOException {
    return new SoftDeletesDirectoryReaderWrapper(reader, FIELD);
  }

  private Query retained() {
    return LongPoint.newRangeQuery(
        SEQUENCE_NUMBER, operations.get() - RETAINED_OPERATIONS, Long.MAX_VALUE);
  }
}
