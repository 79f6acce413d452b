package io.weir.stress.plan;

import java.util.Objects;

/**
 * One variant of the run.
 *
 * @param name as the user gave it; what the report calls it
 * @param settings what it does
 */
public record Arm(String name, ArmSettings settings) {

  private static final int MAX_NAME_CHARS = 60;

  /** Refuses a name that a table or a file name cannot hold. */
  public Arm {
    Objects.requireNonNull(settings, "settings");
    if (name.isBlank() || name.length() > MAX_NAME_CHARS) {
      throw new IllegalArgumentException(
          "arm name must have from 1 to " + MAX_NAME_CHARS + " characters: '" + name + "'");
    }
  }
}
