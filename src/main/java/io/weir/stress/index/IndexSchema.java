package io.weir.stress.index;

import io.weir.corpus.CorpusDocument;
import io.weir.store.ResidentKeys;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.StoredCodec;
import io.weir.stress.setting.VectorFormat;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;

/**
 * How a document is indexed: a stored key, title and body as stored text with positions, and the
 * date as a point and as doc values; so that a merge meets postings, stored fields, points (and
 * their temporary files) and doc values. A document that has a vector is indexed with it, and a
 * merge then builds a graph.
 *
 * <p><b>Threads:</b> immutable; documents are new ones.
 */
public final class IndexSchema {

  /** The primary key. */
  public static final String KEY = "id";

  /** The text that is searched. */
  public static final String BODY = "body";

  /** The vector, of length 1. */
  public static final String VECTOR = "vector";

  private static final String TITLE = "title";
  private static final String DATE = "date";

  /** Raised when the schema changes, so that an index of another one is not used again. */
  static final int VERSION = 1;

  private IndexSchema() {}

  /** The key, to be held in memory, with Weir's default bound. */
  public static ResidentKeys residentKeys() {
    return ResidentKeys.of(KEY);
  }

  /** What writes an index of that layout. */
  static Codec codec(IndexLayout layout) {
    Codec codec = codec(StoredCodec.DEFAULT, layout.vectors());
    return switch (layout.idPostings()) {
      case DEFAULT -> codec;
      case RESIDENT -> residentKeys().codec(codec);
    };
  }

  /** What writes segments with such stored fields and vectors. */
  public static Codec codec(StoredCodec stored, VectorFormat vectors) {
    Lucene104Codec.Mode mode =
        switch (stored) {
          case DEFAULT -> Lucene104Codec.Mode.BEST_SPEED;
          case BEST_COMPRESSION -> Lucene104Codec.Mode.BEST_COMPRESSION;
        };
    Optional<KnnVectorsFormat> format = vectors.toLucene();
    return format.<Codec>map(quantized -> codec(mode, quantized)).orElseGet(() -> codec(mode));
  }

  private static Codec codec(Lucene104Codec.Mode mode) {
    return mode == Lucene104Codec.Mode.BEST_SPEED ? Codec.getDefault() : new Lucene104Codec(mode);
  }

  private static Codec codec(Lucene104Codec.Mode mode, KnnVectorsFormat vectors) {
    return new Lucene104Codec(mode) {
      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return vectors;
      }
    };
  }

  /** The analyzer for every text field. */
  public static Analyzer analyzer() {
    return new StandardAnalyzer();
  }

  /** What finds or replaces the document with this key. */
  public static Term keyTerm(String key) {
    return new Term(KEY, key);
  }

  /**
   * The document under this key.
   *
   * @param vector of length 1; empty for a document that has none
   */
  public static Document document(String key, CorpusDocument text, Optional<float[]> vector) {
    Document document = new Document();
    document.add(new StringField(KEY, key, Field.Store.YES));
    document.add(new TextField(TITLE, text.title(), Field.Store.YES));
    document.add(new TextField(BODY, text.body(), Field.Store.YES));
    document.add(new LongPoint(DATE, text.epochMillis()));
    document.add(new NumericDocValuesField(DATE, text.epochMillis()));
    vector.ifPresent(
        numbers ->
            document.add(
                new KnnFloatVectorField(VECTOR, numbers, VectorSimilarityFunction.DOT_PRODUCT)));
    return document;
  }
}
