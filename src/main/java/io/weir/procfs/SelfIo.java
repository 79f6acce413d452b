package io.weir.procfs;

import java.util.OptionalLong;

/**
 * What this process has read and written, from {@code /proc/self/io}: counters since it started.
 *
 * <p><b>Units:</b> bytes.
 *
 * @param readBytes fetched from storage for this process
 * @param writeBytes charged when the process makes a page dirty, not when the page reaches the disk
 */
public record SelfIo(OptionalLong readBytes, OptionalLong writeBytes) {

  static SelfIo parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new SelfIo(lines.number("read_bytes:"), lines.number("write_bytes:"));
  }
}
