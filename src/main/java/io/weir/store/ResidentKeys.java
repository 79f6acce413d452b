package io.weir.store;

import io.weir.lucene.OpenHints;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
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
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The primary-key fields whose terms dictionaries are held in memory, with the memory limit. Use it
 * twice: {@link #codec} writes the dictionary of the key fields to separate files, and {@link
 * ResidentDirectory} holds these files.
 *
 * <p>An update or a delete by key looks the key up in the dictionary of each segment. If the
 * dictionary is mapped from disk, that lookup is a page fault. While a merge keeps the disk busy,
 * every reopen waits for hundreds of them.
 *
 * @param fields names of the key fields, at least one. Each should have one term per document. Name
 *     few fields, because the entire dictionary of each is held
 * @param maxBytes limit for one directory, within the limit of the process for all of them, {@link
 *     ResidentMemory#ofKeys}; at least 0 bytes. Dictionaries beyond it are read from below, as
 *     without Weir, until there is room. The default is {@link #NO_BOUND_OF_ITS_OWN}
 */
public record ResidentKeys(Set<String> fields, long maxBytes) {

  /** No limit for the index itself; the limit of the process applies. */
  public static final long NO_BOUND_OF_ITS_OWN = Long.MAX_VALUE;

  /** Refuses what is out of range; copies the names. */
  public ResidentKeys {
    Objects.requireNonNull(fields, "fields");
    fields = Set.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("fields must name at least one key field: none");
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must be at least 0 bytes: " + maxBytes);
    }
  }

  /** These key fields, limited only by the process. */
  public static ResidentKeys of(String... fields) {
    Objects.requireNonNull(fields, "fields");
    return new ResidentKeys(new TreeSet<>(Set.of(fields)), NO_BOUND_OF_ITS_OWN);
  }

  /** These keys, with another limit. */
  public ResidentKeys withMaxBytes(long newMaxBytes) {
    return new ResidentKeys(fields, newMaxBytes);
  }

  /** {@link #codec(Codec)} around Lucene's default codec. */
  public Codec codec() {
    return codec(Codec.getDefault());
  }

  /**
   * A codec for {@code IndexWriterConfig.setCodec} that writes the postings of the key fields to
   * separate files, and everything else as {@code delegate} does. It has the delegate's name and
   * formats. So any Lucene that has the delegate can read, merge and check the index without Weir.
   * A flush of less than 1 MiB leaves the keys where {@code delegate} puts them, because more files
   * would delay the reopen that waits for them; its entire dictionary is held. Segments written by
   * another codec keep their files until they are merged; of those files, {@link ResidentDirectory}
   * holds what belongs to the keys.
   *
   * @param delegate if it is a codec of this kind, the keys here replace those there
   * @throws IllegalArgumentException if {@code delegate} does not choose the postings format per
   *     field, as Lucene's own codecs do
   */
  public Codec codec(Codec delegate) {
    Objects.requireNonNull(delegate, "delegate");
    return new KeysCodec(
        delegate instanceof KeysCodec ofOthers ? ofOthers.delegate() : delegate, fields);
  }

  /**
   * A codec with the name of its delegate that writes the postings of the key fields to separate
   * files.
   *
   * <p>Lucene writes one group of files for each <em>instance</em> of a postings format that a
   * codec assigns to fields. It records the format's name and the group's number in each field's
   * attributes. So a second instance with the same name is enough, and reading the index does not
   * need Weir.
   *
   * <p>Lucene merges group by group, and for each group it verifies the files of all groups of the
   * merged segments. Here a merge verifies them once, before its first group.
   *
   * <p>A small flush leaves the keys where the delegate puts them. Its dictionary is short enough
   * to be held entirely, including other fields. The files of a second group would be most of the
   * files that a reopen has to create.
   *
   * <p><b>Threads:</b> any. Source: Lucene 10.5.1, {@code PerFieldPostingsFormat}, {@code
   * FieldsConsumer.merge}, {@code PerFieldMergeState.FilterFieldsProducer.checkIntegrity}.
   */
  static final class KeysCodec extends FilterCodec {

    /**
     * A flush of fewer bytes is small. The size is that of its documents in memory; the terms
     * dictionary is never longer, and usually a few percent of it.
     */
    static final long SMALL_FLUSH_BYTES = 1 << 20;

    private final PostingsFormat postingsFormat;

    KeysCodec(Codec delegate, Set<String> keyFields) {
      this(delegate, keyFields, SMALL_FLUSH_BYTES);
    }

    /**
     * @param smallFlushBytes smaller flushes do not separate the keys; 0 for none
     */
    KeysCodec(Codec delegate, Set<String> keyFields, long smallFlushBytes) {
      super(delegate.getName(), delegate);
      if (!(delegate.postingsFormat() instanceof PerFieldPostingsFormat byField)) {
        throw new IllegalArgumentException(
            "the codec must choose the postings format per field: " + delegate.getName());
      }
      this.postingsFormat = new BySize(byField, new KeysApart(byField, keyFields), smallFlushBytes);
    }

    /** The codec that writes everything else. */
    Codec delegate() {
      return delegate;
    }

    @Override
    public PostingsFormat postingsFormat() {
      return postingsFormat;
    }

    /** Separates the keys, except in a small flush; reading is the same for both. */
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
        tell(state);
        OptionalLong flushBytes = OpenHints.flushBytes(state.context); // empty for a merge
        boolean small = flushBytes.isPresent() && flushBytes.getAsLong() < smallFlushBytes;
        return small
            ? together.fieldsConsumer(state)
            : new VerifyingOnce(apart.fieldsConsumer(state));
      }

      private static void tell(SegmentWriteState state) {
        for (Directory d = state.directory; d instanceof FilterDirectory f; d = f.getDelegate()) {
          if (d instanceof ForwardingDirectory layer) {
            layer.writes(state.segmentInfo.name, state.fieldInfos);
          }
        }
      }

      @Override
      public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
        return together.fieldsProducer(state);
      }
    }

    /** Chooses the delegate's format, or for key fields a twin of it. */
    private static final class KeysApart extends PerFieldPostingsFormat {

      private final PerFieldPostingsFormat chosen;
      private final Set<String> keyFields;

      /** The last twin of each key field: some codecs return a new instance at each call. */
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

      /** Fields that share an instance share a twin, as they would share a group of files. */
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

    /** A second instance of a format. */
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

    /** Writes several groups of files; a merge verifies its input once for all groups. */
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

    /** The postings of a merged segment, verified at the first request only. */
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
}
