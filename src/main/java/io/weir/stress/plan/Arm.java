package io.weir.stress.plan;

import io.weir.stress.setting.ArmSettings;
import java.nio.charset.StandardCharsets;

/**
 * One variant of the run.
 *
 * @param name as the user gave it; what the report calls it
 * @param settings what it does
 */
public record Arm(String name, ArmSettings settings) {

  /** What a table has room for. */
  private static final int MAX_NAME_BYTES = 60;

  /** Refuses a name that a table or a file name cannot hold, and settings that go ill together. */
  public Arm {
    settings.check();
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
