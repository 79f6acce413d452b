package io.weir.merge;

import java.util.Arrays;
import java.util.Locale;

/**
 * Constants by their names, in lower or upper case: {@code paced}. A configuration that calls
 * setters by name, such as Solr's, has only text.
 */
final class NamedChoice {

  private NamedChoice() {}

  /**
   * The constant of a name.
   *
   * @param setting whose value it is, for the message
   * @throws IllegalArgumentException if there is none; the message names the setting and all names
   */
  static <E extends Enum<E>> E parse(String setting, String text, Class<E> choices) {
    for (E choice : choices.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(text)) {
        return choice;
      }
    }
    String all = Arrays.toString(choices.getEnumConstants()).toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException(setting + " must be one of " + all + ": " + text);
  }
}
