package io.weir.procfs;

import java.util.OptionalLong;

/**
 * What this process has read and written, from {@code /proc/self/io}: counters since it started.
 *
 * <p><b>Units:</b> bytes.
 *
 * @param readBytes fetched from storage for this process
 * @param writeBytes charged when the process makes a page dirty, not when the page reaches the disk
 * @param cancelledWriteBytes dirtied and then dropped by truncation or deletion
 * @param rcharBytes asked of read calls, the page cache included; mapped reads are not in it
 * @param wcharBytes given to write calls, whatever became of them
 */
public record SelfIo(
    OptionalLong readBytes,
    OptionalLong writeBytes,
    OptionalLong cancelledWriteBytes,
    OptionalLong rcharBytes,
    OptionalLong wcharBytes) {

  static SelfIo parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new SelfIo(
        lines.number("read_bytes:"),
        lines.number("write_bytes:"),
        lines.number("cancelled_write_bytes:"),
        lines.number("rchar:"),
        lines.number("wchar:"));
  }
}
