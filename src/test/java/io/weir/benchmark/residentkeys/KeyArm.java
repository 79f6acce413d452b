package io.weir.benchmark.residentkeys;

import io.weir.store.ResidentKeys;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.bloom.BloomFilteringPostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.memory.FSTPostingsFormat;

/** How the key field is written and held. */
enum KeyArm {
  LUCENE("Lucene's default", ""),
  RESIDENT("Weir, on the heap", ""),
  FST("FSTPostingsFormat", ""),
  BLOOM("BloomFilteringPostingsFormat", "blm");

  private static final ResidentKeys KEYS = ResidentKeys.of(KeyIndex.FIELD);

  private final String title;
  private final String heldExtension;

  KeyArm(String title, String heldExtension) {
    this.title = title;
    this.heldExtension = heldExtension;
  }

  String title() {
    return title;
  }

  /** Of the files that Lucene itself reads into memory when it opens a segment; empty if none. */
  String heldExtension() {
    return heldExtension;
  }

  /** Null when nothing of ours reads it. */
  ResidentKeys keys() {
    return this == RESIDENT ? KEYS : null;
  }

  Codec codec() {
    return switch (this) {
      case LUCENE -> Codec.getDefault();
      case RESIDENT -> KEYS.codec();
      case FST -> with(new FSTPostingsFormat());
      case BLOOM -> with(new BloomFilteringPostingsFormat(PostingsFormat.forName("Lucene104")));
    };
  }

  private static Codec with(PostingsFormat format) {
    return new Lucene104Codec() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return format;
      }
    };
  }
}
