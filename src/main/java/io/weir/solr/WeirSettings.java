package io.weir.solr;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeCap;
import io.weir.engine.NodeCap.Schedule;
import io.weir.engine.SlowRefreshes;
import io.weir.rate.Rate;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a node: system properties, read once.
 *
 * @param cap of the merges of all cores together: {@code weir.merge.max_bytes_per_sec}
 * @param schedule hours with a cap of their own: {@code weir.merge.schedule}
 * @param zone of those hours: {@code weir.merge.time_zone}
 * @param countsReads whether the cap holds what merges read as well: {@code weir.merge.count_reads}
 * @param idleClass whether merges compute on what all others leave of the processors: {@code
 *     weir.merge.idle_class}
 * @param cores that all merges may use together, empty for no limit: {@code weir.merge.cpu}
 * @param slowRefresh slower refreshes are logged with their causes; negative turns that off: {@code
 *     weir.slow_refresh.threshold}
 * @param metricsPort the port of the metrics for Prometheus; negative is none: {@code
 *     weir.metrics.port}
 * @param metricsHost the address of that port: {@code weir.metrics.host}
 */
record WeirSettings(
    Rate cap,
    Schedule schedule,
    ZoneId zone,
    boolean countsReads,
    boolean idleClass,
    OptionalDouble cores,
    Duration slowRefresh,
    int metricsPort,
    String metricsHost) {

  static final String CAP = "weir.merge.max_bytes_per_sec";
  static final String COUNT_READS = "weir.merge.count_reads";

  static final String METRICS_PORT = "weir.metrics.port";
  static final String METRICS_HOST = "weir.metrics.host";

  private static final String NONE = "-1";
  private static final int MAX_PORT = 65_535;
  private static final Pattern BYTES = Pattern.compile("(\\d{1,15})(b|kb|mb|gb)?");
  private static final Pattern TIME = Pattern.compile("(\\d{1,12})(ms|s|m)");

  /**
   * Reads the settings.
   *
   * @param property the value of a system property; null if it is not set
   * @throws IllegalArgumentException if a value is wrong; the message names the property
   */
  static WeirSettings read(UnaryOperator<String> property) {
    return new WeirSettings(
        cap(CAP, value(property, CAP, NONE)),
        schedule(NodeCap.SCHEDULE, value(property, NodeCap.SCHEDULE, "")),
        NodeCap.zone(NodeCap.TIME_ZONE, value(property, NodeCap.TIME_ZONE, "")),
        flag(COUNT_READS, value(property, COUNT_READS, "false")),
        flag(EngineNode.IDLE_CLASS, value(property, EngineNode.IDLE_CLASS, "false")),
        EngineNode.cores(value(property, EngineNode.CPU, EngineNode.NO_LIMIT)),
        slowRefresh(value(property, SlowRefreshes.THRESHOLD, "500ms")),
        metricsPort(value(property, METRICS_PORT, NONE)),
        value(property, METRICS_HOST, "127.0.0.1"));
  }

  /**
   * A cap such as {@code 40mb}; {@code -1} is no cap.
   *
   * @param name of the setting, for the message
   * @throws IllegalArgumentException if it is not a cap
   */
  static Rate cap(String name, String text) {
    if (text.equals(NONE)) {
      return Rate.UNLIMITED;
    }
    Matcher bytes = BYTES.matcher(text.toLowerCase(Locale.ROOT));
    try {
      if (bytes.matches()) {
        return Rate.perSecond(Math.multiplyExact(Long.parseLong(bytes.group(1)), unit(bytes)));
      }
    } catch (ArithmeticException | IllegalArgumentException e) {
      // Out of range: as below.
    }
    throw new IllegalArgumentException(
        name
            + " must be a number of bytes from 1b to "
            + (Rate.MAX_BYTES_PER_SECOND >> 30)
            + "gb, such as 40mb, or -1 for no cap: "
            + text);
  }

  /**
   * Hours with a cap of their own, such as {@code Mon-Fri 09:00-17:00 10mb}; blank for none. A plus
   * sign is a space, because Solr's start script splits its options at spaces.
   *
   * @param name of the setting, for the message
   * @throws IllegalArgumentException if it is not that
   */
  static Schedule schedule(String name, String text) {
    return Schedule.parse(name, text.replace('+', ' '), WeirSettings::cap);
  }

  /**
   * {@code true} or {@code false}.
   *
   * @param name of the setting, for the message
   * @throws IllegalArgumentException if it is neither
   */
  static boolean flag(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(name + " must be true or false: " + text);
    };
  }

  private static long unit(Matcher bytes) {
    return switch (bytes.group(2)) {
      case "kb" -> 1L << 10;
      case "mb" -> 1L << 20;
      case "gb" -> 1L << 30;
      case null, default -> 1;
    };
  }

  private static Duration slowRefresh(String text) {
    if (text.equals(NONE)) {
      return Duration.ofMillis(-1);
    }
    Matcher time = TIME.matcher(text.toLowerCase(Locale.ROOT));
    if (!time.matches()) {
      throw new IllegalArgumentException(
          SlowRefreshes.THRESHOLD + " must be a time such as 500ms or 2s, or -1 for none: " + text);
    }
    long number = Long.parseLong(time.group(1));
    return SlowRefreshes.requireInRange(
        switch (time.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          default -> Duration.ofMinutes(number);
        });
  }

  private static int metricsPort(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= -1 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Not a port: as below.
    }
    throw new IllegalArgumentException(
        METRICS_PORT + " must be a port from 0 to " + MAX_PORT + ", or -1 for none: " + text);
  }

  private static String value(UnaryOperator<String> property, String name, String otherwise) {
    String value = property.apply(name);
    return value == null || value.isBlank() ? otherwise : value.strip();
  }
}
