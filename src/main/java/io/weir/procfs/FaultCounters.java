package io.weir.procfs;

import java.util.OptionalLong;

/**
 * Page faults of all threads of a process since it started, from its {@code stat} file (see
 * proc_pid_stat(5)).
 *
 * @param minorFaults faults whose page was in memory
 * @param majorFaults faults whose page was read from storage
 */
public record FaultCounters(OptionalLong minorFaults, OptionalLong majorFaults) {

  private static final int MINOR_FIELD = 7;
  private static final int MAJOR_FIELD = 9;

  static FaultCounters parse(String stat) {
    String[] fields = ProcessStat.fields(stat);
    if (fields.length <= MAJOR_FIELD + 1) { // the last field of a truncated text is unreliable
      return new FaultCounters(OptionalLong.empty(), OptionalLong.empty());
    }
    return new FaultCounters(
        KeyedNumbers.parse(fields[MINOR_FIELD]), KeyedNumbers.parse(fields[MAJOR_FIELD]));
  }
}
