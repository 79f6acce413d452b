package io.weir.option;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/** Constants by their names, in lower or upper case: {@code paced}. */
public final class HumanChoice {

  private HumanChoice() {}

  /**
   * The constant of a name.
   *
   * @param option whose value it is, for the message
   * @throws IllegalArgumentException if there is none; the message names the option and all names
   */
  public static <E extends Enum<E>> E parse(String option, String text, Class<E> choices) {
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(text, "text");
    for (E choice : choices.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(text)) {
        return choice;
      }
    }
    String all = Arrays.toString(choices.getEnumConstants()).toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException(option + " must be one of " + all + ": " + text);
  }
}
