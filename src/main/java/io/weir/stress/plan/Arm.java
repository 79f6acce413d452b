package io.weir.stress.plan;

import io.weir.stress.setting.ArmSettings;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One variant of the run.
 *
 * @param name as the user gave it; what the report calls it
 * @param settings what it does
 */
public record Arm(String name, ArmSettings settings) {

  /** Each byte may take three characters of a file name, and 255 are the most of those. */
  private static final int MAX_NAME_BYTES = 60;

  /** Refuses a name that a table or a file name cannot hold. */
  public Arm {
    Objects.requireNonNull(settings, "settings");
    String plain = name.replaceAll("\\p{Cntrl}", "?");
    if (name.isBlank()
        || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES
        || !plain.equals(name)) {
      throw new IllegalArgumentException(
          "arm name must have from 1 to "
              + MAX_NAME_BYTES
              + " bytes of UTF-8 and no control characters: '"
              + plain
              + "'");
    }
  }
}
