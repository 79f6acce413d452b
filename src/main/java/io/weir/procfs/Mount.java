package io.weir.procfs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One mounted file system as this process sees it: a line of {@code /proc/self/mountinfo} (see
 * proc_pid_mountinfo(5)).
 *
 * @param deviceNumber {@code major:minor}; major 0 means no block device of its own
 * @param root the directory of the file system that is visible at the mount point
 * @param mountPoint where it is mounted
 * @param fileSystemType such as {@code ext4}, {@code cgroup2}
 * @param source the device, or what the file system names instead
 * @param superOptions options of the file system; cgroup v1 lists its controllers here
 */
public record Mount(
    String deviceNumber,
    String root,
    String mountPoint,
    String fileSystemType,
    String source,
    List<String> superOptions) {

  private static final Pattern DEVICE_NUMBER = Pattern.compile("[0-9]{1,9}:[0-9]{1,9}");

  private static final int FIRST_OPTIONAL_FIELD = 6;

  static List<Mount> parseAll(String text) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : text.split("\n")) {
      parse(line).ifPresent(mounts::add);
    }
    return List.copyOf(mounts);
  }

  private static Optional<Mount> parse(String line) {
    String[] fields = line.split(" ");
    int separator = FIRST_OPTIONAL_FIELD;
    while (separator < fields.length && !fields[separator].equals("-")) {
      separator++;
    }
    if (separator + 3 >= fields.length
        || !DEVICE_NUMBER.matcher(fields[2]).matches()
        || !fields[4].startsWith("/")) {
      return Optional.empty();
    }
    return Optional.of(
        new Mount(
            fields[2],
            unescape(fields[3]),
            unescape(fields[4]),
            fields[separator + 1],
            unescape(fields[separator + 2]),
            Arrays.asList(fields[separator + 3].split(","))));
  }

  /** Whether {@code path}, absolute and without links, is at or below the mount point. */
  boolean holds(String path) {
    return isAtOrBelow(mountPoint, path);
  }

  static boolean isAtOrBelow(String ancestor, String path) {
    return ancestor.equals("/")
        ? path.startsWith("/")
        : path.startsWith(ancestor)
            && (path.length() == ancestor.length() || path.charAt(ancestor.length()) == '/');
  }

  /** The kernel writes blank, tab, newline and backslash as a backslash and three octal digits. */
  static String unescape(String field) {
    if (field.indexOf('\\') < 0) {
      return field;
    }
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream plain = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\\'
          && i + 3 < bytes.length
          && isOctal(bytes[i + 1])
          && isOctal(bytes[i + 2])
          && isOctal(bytes[i + 3])) {
        plain.write((bytes[i + 1] - '0') << 6 | (bytes[i + 2] - '0') << 3 | (bytes[i + 3] - '0'));
        i += 3;
      } else {
        plain.write(bytes[i]);
      }
    }
    return plain.toString(StandardCharsets.UTF_8);
  }

  private static boolean isOctal(byte digit) {
    return digit >= '0' && digit <= '7';
  }
}
