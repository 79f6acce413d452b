package io.weir.procfs;

import java.util.OptionalLong;

/**
 * Page faults of a process, of all its threads, from its {@code stat} file (see proc_pid_stat(5)):
 * counters since it started.
 *
 * @param minorFaults that found their page in memory
 * @param majorFaults for which a page was fetched from storage
 */
public record FaultCounters(OptionalLong minorFaults, OptionalLong majorFaults) {

  /** Counted from the state, the first field behind the name of the command. */
  private static final int MINOR_FIELD = 7;

  private static final int MAJOR_FIELD = 9;

  /** The name may hold blanks, line ends and parentheses itself; nothing behind it does. */
  static FaultCounters parse(String stat) {
    int name = stat.lastIndexOf(')');
    String[] fields = name < 0 ? new String[0] : stat.substring(name + 1).strip().split(" +");
    if (fields.length <= MAJOR_FIELD + 1) { // the last one of a text cut short is no number
      return new FaultCounters(OptionalLong.empty(), OptionalLong.empty());
    }
    return new FaultCounters(
        KeyedNumbers.parse(fields[MINOR_FIELD]), KeyedNumbers.parse(fields[MAJOR_FIELD]));
  }
}
