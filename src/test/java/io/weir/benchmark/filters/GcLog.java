package io.weir.benchmark.filters;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pauses that a JVM logs with {@code -Xlog:gc,gc+phases}. */
final class GcLog {

  /** What the JVM is asked to log, into a file. */
  static final String OPTION = "-Xlog:gc,gc+phases=info:file=%s:uptime";

  private static final Pattern PAUSE =
      Pattern.compile("^\\[([0-9.]+)s\\].*\\bPause [A-Z].* ([0-9.]+)ms$");

  /**
   * A pause of the collector.
   *
   * @param seconds when it ended, from the start of the JVM
   */
  record Pause(double seconds, double millis) {}

  private GcLog() {}

  static List<Pause> pauses(List<String> lines) {
    List<Pause> pauses = new ArrayList<>();
    for (String line : lines) {
      Matcher matcher = PAUSE.matcher(line);
      if (matcher.matches()) {
        pauses.add(
            new Pause(Double.parseDouble(matcher.group(1)), Double.parseDouble(matcher.group(2))));
      }
    }
    return pauses;
  }
}
