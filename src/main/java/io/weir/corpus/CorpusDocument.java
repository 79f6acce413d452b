package io.weir.corpus;

import java.util.Objects;

/**
 * One document to index.
 *
 * @param title a short line; may be empty
 * @param body the text, including any markup
 * @param epochMillis a date of the document, in milliseconds since 1970; {@link
 *     #UNDATED_EPOCH_MILLIS} if its source has no readable date
 */
public record CorpusDocument(String title, String body, long epochMillis) {

  /**
   * The date of a document whose own date is missing or unreadable. The index needs a date for each
   * document, so such a document is kept with this one; {@link ReadProblems#undatedCount} counts
   * them.
   */
  public static final long UNDATED_EPOCH_MILLIS = 0;

  public CorpusDocument {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(body, "body");
  }
}
