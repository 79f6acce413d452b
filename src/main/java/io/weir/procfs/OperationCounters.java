package io.weir.procfs;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How many operations a disk has done: for the whole machine, or for one control group.
 *
 * <p>Of the whole machine, these are the requests that the device completed ({@code stat} of a
 * block device). The kernel may have merged several adjacent ones into one before. Of a control
 * group, they are those that its tasks submitted ({@code io.stat}, version 2), before such merging.
 * Discards and flushes are not among them. (Kernel documentation: block/stat,
 * admin-guide/cgroup-v2.)
 *
 * <p><b>Units:</b> operations since the device or the group exists, or between two looks.
 */
public record OperationCounters(long reads, long writes) {

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern DEVICE_NUMBER = Pattern.compile("[0-9]{1,9}:[0-9]{1,9}");

  private static final int READS_FIELD = 0;
  private static final int WRITES_FIELD = 4;

  /** Both together. */
  public long all() {
    return reads + writes;
  }

  /**
   * The operations since an earlier look; empty if there were more then: that was another device.
   */
  public Optional<OperationCounters> since(OperationCounters before) {
    Objects.requireNonNull(before, "before");
    return reads < before.reads || writes < before.writes
        ? Optional.empty()
        : Optional.of(new OperationCounters(reads - before.reads, writes - before.writes));
  }

  /** Parses the line of a device; kernels have written 11, 15 and 17 fields. */
  static Optional<OperationCounters> ofDevice(String stat) {
    String[] fields = BLANKS.split(stat.strip());
    return fields.length <= WRITES_FIELD
        ? Optional.empty()
        : of(KeyedNumbers.parse(fields[READS_FIELD]), KeyedNumbers.parse(fields[WRITES_FIELD]));
  }

  /**
   * Parses the figures of one device in a group's file. A device without figures has no line, or
   * stands without a line end before the next one: {@code 7:7 7:6 rbytes=...}.
   */
  static Optional<OperationCounters> ofGroup(String ioStat, String deviceNumber) {
    OptionalLong reads = OptionalLong.empty();
    OptionalLong writes = OptionalLong.empty();
    for (String line : ioStat.split("\n")) {
      boolean found = false;
      for (String item : BLANKS.split(line.strip())) {
        if (DEVICE_NUMBER.matcher(item).matches()) {
          found = item.equals(deviceNumber);
        } else if (found && item.startsWith("rios=")) {
          reads = KeyedNumbers.parse(item.substring("rios=".length()));
        } else if (found && item.startsWith("wios=")) {
          writes = KeyedNumbers.parse(item.substring("wios=".length()));
        }
      }
    }
    return of(reads, writes);
  }

  private static Optional<OperationCounters> of(OptionalLong reads, OptionalLong writes) {
    return reads.isPresent() && writes.isPresent()
        ? Optional.of(new OperationCounters(reads.getAsLong(), writes.getAsLong()))
        : Optional.empty();
  }
}
