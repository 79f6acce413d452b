package io.weir.procfs;

import java.util.OptionalLong;

/**
 * What a process or a thread has read and written, from its {@code io} file: counters since it
 * started.
 *
 * <p><b>Units:</b> bytes.
 *
 * @param readBytes fetched from storage for it, by page faults of mapped files too
 * @param writeBytes charged when it makes a page dirty, not when the page reaches the disk
 */
public record IoCounters(OptionalLong readBytes, OptionalLong writeBytes) {

  static IoCounters parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new IoCounters(lines.number("read_bytes:"), lines.number("write_bytes:"));
  }
}
