package io.weir.procfs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

  /**
   * A line of the list.
   *
   * @param parent the number of the mount that the mount point is in, as of the line itself
   */
  private record Line(String number, String parent, Mount mount) {}

  /**
   * The mounts that a path can lead to, in the order of the list. A mount on a directory hides what
   * was mounted on it, and below it in the same parent, before. So at most one has a given mount
   * point, and the deepest that holds a path is that of the path.
   */
  static List<Mount> visible(String text) {
    List<Line> lines = text.lines().flatMap(line -> parse(line).stream()).toList();
    Set<String> numbers = lines.stream().map(Line::number).collect(Collectors.toSet());
    // By parent and mount point. Of several in one place, each later one hides those before.
    Map<String, Map<String, Line>> mounted = new HashMap<>();
    Deque<String> reached = new ArrayDeque<>();
    for (Line line : lines) {
      // The root of a process has a parent that is not in the list, or is said to be its own.
      boolean top = !numbers.contains(line.parent()) || line.parent().equals(line.number());
      String parent = top ? "above " + line.parent() : line.parent();
      mounted.computeIfAbsent(parent, p -> new HashMap<>()).put(line.mount().mountPoint(), line);
      if (top) {
        reached.add(parent);
      }
    }
    Set<Line> visible = Collections.newSetFromMap(new IdentityHashMap<>());
    while (!reached.isEmpty()) {
      Map<String, Line> places =
          Optional.ofNullable(mounted.remove(reached.poll())).orElse(Map.of());
      for (Line line : places.values()) {
        String point = line.mount().mountPoint();
        if (!isBelowOneOf(places.keySet(), point)) {
          reached.add(line.number());
          if (!mounted.getOrDefault(line.number(), Map.of()).containsKey(point)) {
            visible.add(line);
          }
        }
      }
    }
    return lines.stream().filter(visible::contains).map(Line::mount).toList();
  }

  private static boolean isBelowOneOf(Set<String> mountPoints, String point) {
    String above = point;
    while (above.length() > 1) {
      above = above.substring(0, Math.max(1, above.lastIndexOf('/')));
      if (mountPoints.contains(above)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Line> parse(String line) {
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
        new Line(
            fields[0],
            fields[1],
            new Mount(
                fields[2],
                unescape(fields[3]),
                unescape(fields[4]),
                fields[separator + 1],
                unescape(fields[separator + 2]),
                Arrays.asList(fields[separator + 3].split(",")))));
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
