package io.weir.agent.process;

import io.weir.option.HumanCores;
import io.weir.option.HumanDuration;
import io.weir.option.HumanRate;
import io.weir.option.HumanSchedule;
import io.weir.option.NearestName;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule.Window;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The options of the agent: {@code cap=40MB/s,port=9400}, or {@code measure}.
 *
 * @param cap the cap of all merges of the JVM together; empty for {@code measure}, which changes
 *     nothing that an application can notice
 * @param schedule the windows that have a cap of their own
 * @param countsReads whether the cap holds what merges read as well: {@code count-reads}
 * @param idleClass whether merges compute on what all others leave of the processors: {@code
 *     idle-class}
 * @param cores that all merges may use together, empty for no limit: {@code merge-cpu}
 * @param port of {@code /metrics}; 0 chooses one, empty opens none
 * @param host the address that {@code /metrics} listens on
 * @param slow a reopen of this duration or longer is explained
 */
record AgentOptions(
    Optional<Rate> cap,
    List<Window> schedule,
    boolean countsReads,
    boolean idleClass,
    OptionalDouble cores,
    OptionalInt port,
    String host,
    Duration slow) {

  private static final String CAP = "cap";
  private static final String MEASURE = "measure";
  private static final String SCHEDULE = "schedule";
  private static final String COUNT_READS = "count-reads";
  private static final String IDLE_CLASS = "idle-class";
  private static final String CPU = "merge-cpu";
  private static final String OFF = "off";
  private static final String PORT = "port";
  private static final String HOST = "host";
  private static final String SLOW = "slow";
  private static final List<String> NAMES =
      List.of(CAP, MEASURE, SCHEDULE, COUNT_READS, IDLE_CLASS, CPU, PORT, HOST, SLOW);

  private static final String LOCAL = "127.0.0.1";
  private static final Duration DEFAULT_SLOW = Duration.ofMillis(50);
  private static final Duration MAX_SLOW = Duration.ofHours(1);
  private static final int MAX_PORT = 65_535;

  /**
   * Parses what stands behind the {@code =} of {@code -javaagent}.
   *
   * @throws IllegalArgumentException with one line that names the wrong option
   */
  static AgentOptions parse(String text) {
    Map<String, String> values = split(text);
    if (values.containsKey(CAP) == values.containsKey(MEASURE)) {
      throw new IllegalArgumentException(
          "the options must have either cap, such as cap=40MB/s or cap=off, or measure: '"
              + text
              + "'");
    }
    requireNoValue(MEASURE, values);
    requireNoValue(COUNT_READS, values);
    requireNoValue(IDLE_CLASS, values);
    if (values.containsKey(COUNT_READS) && !values.containsKey(CAP)) {
      throw new IllegalArgumentException("count-reads needs cap, which then limits reads as well");
    }
    if (values.containsKey(IDLE_CLASS) && !values.containsKey(CAP)) {
      throw new IllegalArgumentException("idle-class needs cap, such as cap=off");
    }
    if (values.containsKey(CPU) && !values.containsKey(CAP)) {
      throw new IllegalArgumentException("merge-cpu needs cap, such as cap=off");
    }
    if (values.containsKey(SCHEDULE) && !values.containsKey(CAP)) {
      throw new IllegalArgumentException(
          "schedule needs cap, which applies outside the hours of the schedule");
    }
    return new AgentOptions(
        Optional.ofNullable(values.get(CAP)).map(cap -> HumanRate.parseOrOff(CAP, cap)),
        values.containsKey(SCHEDULE)
            ? HumanSchedule.parseWindows(
                SCHEDULE, values.get(SCHEDULE), "10MB/s", HumanRate::parseOrOff)
            : List.of(),
        values.containsKey(COUNT_READS),
        values.containsKey(IDLE_CLASS),
        HumanCores.parse(CPU, values.getOrDefault(CPU, OFF), OFF),
        values.containsKey(PORT) ? OptionalInt.of(port(values.get(PORT))) : OptionalInt.empty(),
        host(values),
        values.containsKey(SLOW) ? slow(values.get(SLOW)) : DEFAULT_SLOW);
  }

  /** The address of {@code /metrics}; empty if there is none. */
  Optional<InetSocketAddress> address() {
    return port.isPresent()
        ? Optional.of(new InetSocketAddress(host, port.getAsInt()))
        : Optional.empty();
  }

  private static void requireNoValue(String name, Map<String, String> values) {
    if (!values.getOrDefault(name, "").isEmpty()) {
      throw new IllegalArgumentException(
          "%s must have no value: %s=%s".formatted(name, name, values.get(name)));
    }
  }

  private static Map<String, String> split(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String option : text.split(",")) {
      String trimmed = option.trim();
      if (trimmed.isEmpty()) {
        continue;
      }
      int equals = trimmed.indexOf('=');
      String name = equals < 0 ? trimmed : trimmed.substring(0, equals).trim();
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(unknown(name));
      }
      if (values.put(name, equals < 0 ? "" : trimmed.substring(equals + 1).trim()) != null) {
        throw new IllegalArgumentException("the option " + name + " must be given once: " + text);
      }
    }
    return values;
  }

  private static String unknown(String name) {
    return "unknown option '%s'%s the options are %s"
        .formatted(
            name,
            NearestName.to(name, NAMES).map(near -> ", did you mean '" + near + "'?").orElse(";"),
            String.join(", ", NAMES));
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new IllegalArgumentException("port must be from 0 to " + MAX_PORT + ": " + text);
  }

  private static String host(Map<String, String> values) {
    if (!values.containsKey(HOST)) {
      return LOCAL;
    }
    if (values.get(HOST).isEmpty() || !values.containsKey(PORT)) {
      throw new IllegalArgumentException(
          "host must be an address, and needs port: host=" + values.get(HOST));
    }
    return values.get(HOST);
  }

  private static Duration slow(String text) {
    Duration slow = HumanDuration.parse(SLOW, text);
    if (slow.compareTo(Duration.ofMillis(1)) < 0 || slow.compareTo(MAX_SLOW) > 0) {
      throw new IllegalArgumentException("slow must be from 1ms to 1h: " + text);
    }
    return slow;
  }
}
