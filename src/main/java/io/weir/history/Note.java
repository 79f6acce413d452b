package io.weir.history;

import java.time.LocalDate;

/**
 * Something that happened on a day and may have changed figures.
 *
 * @param date in UTC
 * @param text a few words
 */
public record Note(LocalDate date, String text) {

  private static final int MOST_CHARACTERS = 80;

  /** Refuses a text that a chart has no room for. */
  public Note {
    if (text.isBlank()
        || text.length() > MOST_CHARACTERS
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a note must have from 1 to " + MOST_CHARACTERS + " characters in one line: " + text);
    }
  }
}
