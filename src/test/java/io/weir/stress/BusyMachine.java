package io.weir.stress;

import io.weir.run.RunWarning;
import java.util.List;
import java.util.regex.Pattern;

/** What a run warns of when other programs use the machine, which no test can prevent. */
public final class BusyMachine {

  private static final Pattern OF_A_BUSY_MACHINE =
      Pattern.compile(
          "a thread of an idle JVM woke up .*"
              + "|a hypervisor took .*"
              + "|others wrote .*"
              + "|tasks waited for a disk .*"
              + "|reopens were not steady yet .*"
              + "|.* samples were missed, .*"
              + "|.* fell behind .*"
              + "|.* had not begun .*");

  private BusyMachine() {}

  /** The other warnings. */
  public static List<RunWarning> withoutItsWarnings(List<RunWarning> warnings) {
    return warnings.stream()
        .filter(warning -> !OF_A_BUSY_MACHINE.matcher(warning.what()).matches())
        .toList();
  }
}
