package io.weir.procfs;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which process it is, from its {@code stat} file (see proc_pid_stat(5)).
 *
 * @param number of the process
 * @param state one letter
 * @param startTicks when it began, in clock ticks since the boot
 */
record ProcessStat(long number, char state, long startTicks) {

  private static final int START_FIELD = 19;

  /**
   * The fields after the name of the command, of which the state is number 0. The name itself may
   * contain blanks, line ends and parentheses; the fields after it do not.
   */
  static String[] fields(String stat) {
    int name = stat.lastIndexOf(')');
    return name < 0 ? new String[0] : stat.substring(name + 1).strip().split(" +");
  }

  static Optional<ProcessStat> parse(String stat) {
    String[] fields = fields(stat);
    OptionalLong number = KeyedNumbers.parse(stat.split(" ", 2)[0]);
    if (number.isEmpty() || fields.length <= START_FIELD + 1 || fields[0].length() != 1) {
      return Optional.empty();
    }
    OptionalLong start = KeyedNumbers.parse(fields[START_FIELD]);
    return start.isEmpty()
        ? Optional.empty()
        : Optional.of(new ProcessStat(number.getAsLong(), fields[0].charAt(0), start.getAsLong()));
  }

  /** Of a process that was killed, this stays until its parent asks. */
  boolean hasEnded() {
    return state == 'Z' || state == 'X' || state == 'x';
  }
}
