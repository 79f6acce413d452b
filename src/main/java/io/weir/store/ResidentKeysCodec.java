package io.weir.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.FlushInfo;

/**
 * Another codec, under its name, with the postings of the key fields in files of their own.
 *
 * <p>Lucene writes one group of files for each <em>instance</em> of a postings format that a codec
 * gives to fields, and notes in each field's attributes the format's name and the group's number.
 * So a second instance with the same name is all it takes, and reading needs nothing of ours.
 *
 * <p>Lucene merges group by group, and for each verifies the files of all groups of the segments
 * that it merges. Here a merge verifies them once, before its first group.
 *
 * <p>A small flush leaves the keys where the other codec puts them. Its dictionary is short enough
 * to be held whole, other fields included, and the files of a second group would be most of what a
 * reopen has to create.
 *
 * <p><b>Threads:</b> any. Source: Lucene 10.5.1, {@code PerFieldPostingsFormat}, {@code
 * FieldsConsumer.merge}, {@code PerFieldMergeState.FilterFieldsProducer.checkIntegrity}.
 */
final class ResidentKeysCodec extends FilterCodec {

  /**
   * The largest flush that is small, in bytes of the memory that its documents took: its dictionary
   * of terms is no longer than that, and as a rule a few per cent of it.
   */
  static final long SMALL_FLUSH_BYTES = 1 << 20;

  private final PostingsFormat postingsFormat;

  ResidentKeysCodec(Codec delegate, Set<String> keyFields) {
    this(delegate, keyFields, SMALL_FLUSH_BYTES);
  }

  /**
   * @param smallFlushBytes a flush of less leaves the keys where they are; 0 for none
   */
  ResidentKeysCodec(Codec delegate, Set<String> keyFields, long smallFlushBytes) {
    super(delegate.getName(), delegate);
    if (!(delegate.postingsFormat() instanceof PerFieldPostingsFormat byField)) {
      throw new IllegalArgumentException(
          "the codec must choose the postings format by field: " + delegate.getName());
    }
    this.postingsFormat = new BySize(byField, new KeysApart(byField, keyFields), smallFlushBytes);
  }

  @Override
  public PostingsFormat postingsFormat() {
    return postingsFormat;
  }

  /** Keys apart, but not in a small flush; both are read alike. */
  private static final class BySize extends PostingsFormat {

    private final PerFieldPostingsFormat together;
    private final PerFieldPostingsFormat apart;
    private final long smallFlushBytes;

    BySize(PerFieldPostingsFormat together, PerFieldPostingsFormat apart, long smallFlushBytes) {
      super(together.getName());
      this.together = together;
      this.apart = apart;
      this.smallFlushBytes = smallFlushBytes;
    }

    @Override
    public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
      FlushInfo flush = state.context.flushInfo(); // null for a merge
      boolean small = flush != null && flush.estimatedSegmentSize() < smallFlushBytes;
      return small
          ? together.fieldsConsumer(state)
          : new VerifyingOnce(apart.fieldsConsumer(state));
    }

    @Override
    public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
      return together.fieldsProducer(state);
    }
  }

  /** The choice of another, but for key fields the twin of what it chooses. */
  private static final class KeysApart extends PerFieldPostingsFormat {

    private final PerFieldPostingsFormat chosen;
    private final Set<String> keyFields;

    /** The last of each key field: some codecs choose a new instance each time. */
    private final Map<String, Twin> twinsByField = new HashMap<>(); // guarded by itself

    KeysApart(PerFieldPostingsFormat chosen, Set<String> keyFields) {
      this.chosen = chosen;
      this.keyFields = keyFields;
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      PostingsFormat format = chosen.getPostingsFormatForField(field);
      return keyFields.contains(field) ? twin(field, format) : format;
    }

    /** Fields with one instance have one twin, as they would have one group of files. */
    private Twin twin(String field, PostingsFormat format) {
      synchronized (twinsByField) {
        Twin twin =
            twinsByField.values().stream()
                .filter(known -> known.format == format)
                .findFirst()
                .orElseGet(() -> new Twin(format));
        twinsByField.put(field, twin);
        return twin;
      }
    }
  }

  /** The same format once more. */
  private static final class Twin extends PostingsFormat {

    private final PostingsFormat format;

    Twin(PostingsFormat format) {
      super(format.getName());
      this.format = format;
    }

    @Override
    public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
      return format.fieldsConsumer(state);
    }

    @Override
    public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
      return format.fieldsProducer(state);
    }
  }

  /** Writes several groups of files, and verifies what they are merged of once for all of them. */
  private static final class VerifyingOnce extends FieldsConsumer {

    private final FieldsConsumer groups;

    VerifyingOnce(FieldsConsumer groups) {
      this.groups = groups;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      groups.write(fields, norms);
    }

    @Override
    public void merge(MergeState state, NormsProducer norms) throws IOException {
      FieldsProducer[] merged = state.fieldsProducers.clone();
      Arrays.setAll(
          state.fieldsProducers, i -> merged[i] == null ? null : new VerifiedOnce(merged[i]));
      try {
        groups.merge(state, norms);
      } finally {
        System.arraycopy(merged, 0, state.fieldsProducers, 0, merged.length);
      }
    }

    @Override
    public void close() throws IOException {
      groups.close();
    }
  }

  /** The postings of a segment that is merged: verified when that is first asked for. */
  private static final class VerifiedOnce extends FieldsProducer {

    private final FieldsProducer postings;
    private boolean verified;

    VerifiedOnce(FieldsProducer postings) {
      this.postings = postings;
    }

    @Override
    public void checkIntegrity() throws IOException {
      if (!verified) {
        postings.checkIntegrity();
        verified = true;
      }
    }

    @Override
    public Iterator<String> iterator() {
      return postings.iterator();
    }

    @Override
    public Terms terms(String field) throws IOException {
      return postings.terms(field);
    }

    @Override
    public int size() {
      return postings.size();
    }

    @Override
    public void close() throws IOException {
      postings.close();
    }
  }
}
