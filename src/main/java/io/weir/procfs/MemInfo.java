package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The machine's memory, from {@code /proc/meminfo}; a container sees the host's.
 *
 * <p><b>Units:</b> bytes; the kernel prints KiB, labelled kB.
 *
 * @param memTotalBytes memory that the kernel manages
 * @param memAvailableBytes memory available to new work without swapping; since Linux 3.14
 * @param dirtyBytes written to files but not yet being written to disk
 * @param writebackBytes being written to disk now
 */
public record MemInfo(
    OptionalLong memTotalBytes,
    OptionalLong memAvailableBytes,
    OptionalLong dirtyBytes,
    OptionalLong writebackBytes) {

  private static final OptionalLong KIBIBYTE = OptionalLong.of(1024);

  static MemInfo parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new MemInfo(
        bytes(lines, "MemTotal:"),
        bytes(lines, "MemAvailable:"),
        bytes(lines, "Dirty:"),
        bytes(lines, "Writeback:"));
  }

  private static OptionalLong bytes(KeyedNumbers lines, String key) {
    return KeyedNumbers.times(lines.number(key, "kB"), KIBIBYTE);
  }
}
