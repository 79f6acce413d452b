package io.weir.corpus;

import java.util.Objects;

/**
 * One document to index.
 *
 * @param title a short line; may be empty
 * @param body the text, without any markup taken out
 * @param epochMillis a date of the document, in milliseconds since 1970; {@link
 *     #UNDATED_EPOCH_MILLIS} when its source names none that can be read
 */
public record CorpusDocument(String title, String body, long epochMillis) {

  /**
   * The date of a document whose own date is missing or cannot be read. An index wants a date for
   * each document, and a document is worth more than its date; {@link ReadProblems#undatedCount}
   * says how many there were.
   */
  public static final long UNDATED_EPOCH_MILLIS = 0;

  public CorpusDocument {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(body, "body");
  }
}
