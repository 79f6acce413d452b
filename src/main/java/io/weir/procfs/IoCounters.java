package io.weir.procfs;

import java.util.OptionalLong;

/**
 * Bytes read and written by a process or a thread since it started, from its {@code io} file.
 *
 * <p><b>Units:</b> bytes.
 *
 * @param readBytes read from storage for it, including page faults of mapped files
 * @param writeBytes counted when it makes a page dirty, not when the page reaches the disk
 */
public record IoCounters(OptionalLong readBytes, OptionalLong writeBytes) {

  static IoCounters parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new IoCounters(lines.number("read_bytes:"), lines.number("write_bytes:"));
  }
}
