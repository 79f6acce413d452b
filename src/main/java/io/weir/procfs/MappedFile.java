package io.weir.procfs;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file, or a part of one, in the address space of a process: a line of its {@code maps} file, and
 * the first of each mapping in its {@code smaps} file (see proc_pid_maps(5)).
 *
 * @param path as the process sees it; the kernel adds a word if it was deleted
 * @param address where it begins
 * @param offset where the part begins in the file
 * @param bytes of the address space
 */
public record MappedFile(String path, long address, long offset, long bytes) {

  private static final Pattern LINE =
      Pattern.compile(
          "([0-9a-f]+)-([0-9a-f]+) [-rwxsp]{4} ([0-9a-f]+) [0-9a-f]+:[0-9a-f]+ \\d+ +(/.*)");

  private static final int RADIX = 16;

  /** Refuses nulls. */
  public MappedFile {
    Objects.requireNonNull(path, "path");
  }

  /** Those of a {@code maps} file. */
  static List<MappedFile> all(String maps) {
    return maps.lines().flatMap(line -> parse(line).stream()).toList();
  }

  /** Empty if the line is of no file. */
  static Optional<MappedFile> parse(String line) {
    Matcher fields = LINE.matcher(line);
    if (!fields.matches()) {
      return Optional.empty();
    }
    long from = Long.parseUnsignedLong(fields.group(1), RADIX);
    long to = Long.parseUnsignedLong(fields.group(2), RADIX);
    return Optional.of(
        new MappedFile(
            Mount.unescape(fields.group(4)),
            from,
            Long.parseUnsignedLong(fields.group(3), RADIX),
            to - from));
  }
}
