package io.weir.stress.index;

import io.weir.corpus.CorpusDocument;
import io.weir.store.ResidentKeys;
import io.weir.stress.setting.IdPostings;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;

/**
 * How a document is indexed: a stored key, title and body as stored text with positions, and the
 * date as a point and as doc values; so that a merge meets postings, stored fields, points (and
 * their temporary files) and doc values.
 *
 * <p><b>Threads:</b> immutable; documents are new ones.
 */
public final class IndexSchema {

  /** The primary key. */
  public static final String KEY = "id";

  /** The text that is searched. */
  public static final String BODY = "body";

  private static final String TITLE = "title";
  private static final String DATE = "date";

  /** Raised when the schema changes, so that an index of another one is not used again. */
  static final int VERSION = 1;

  private IndexSchema() {}

  /** The key, to be held in memory, with Weir's default bound. */
  public static ResidentKeys residentKeys() {
    return ResidentKeys.of(KEY);
  }

  /** What writes an index with such ids. */
  static Codec codec(IdPostings idPostings) {
    return switch (idPostings) {
      case DEFAULT -> Codec.getDefault();
      case RESIDENT -> residentKeys().codec();
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

  /** The document under this key. */
  public static Document document(String key, CorpusDocument text) {
    Document document = new Document();
    document.add(new StringField(KEY, key, Field.Store.YES));
    document.add(new TextField(TITLE, text.title(), Field.Store.YES));
    document.add(new TextField(BODY, text.body(), Field.Store.YES));
    document.add(new LongPoint(DATE, text.epochMillis()));
    document.add(new NumericDocValuesField(DATE, text.epochMillis()));
    return document;
  }
}
