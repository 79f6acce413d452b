package io.weir.why;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads of a JVM at one moment, as {@code Thread.print} says them.
 *
 * <p>Lines that it does not know are skipped. Source: the text of JDK 17 to 25.
 */
final class ThreadDump {

  private static final Pattern KERNEL_NUMBER = Pattern.compile(" nid=(0x)?([0-9a-f]+)\\b");
  private static final Pattern PROCESSOR = Pattern.compile(" cpu=([0-9.]+)ms");
  private static final Pattern FRAME =
      Pattern.compile("\\s+at ([^(]+)\\.([^.(]+)\\((?:[^/)]*@?[^/)]*/)?([^)]*)\\)");

  /** As {@link StackTraceElement#toString} names one, behind its class loader and its module. */
  private static final Pattern ELEMENT =
      Pattern.compile("\\s*(?:[\\w.@+-]*/){0,2}([^(\\s]+)\\.([^.(]+)\\(([^)]*)\\)\\s*");

  private static final String STATE = "   java.lang.Thread.State: ";
  private static final int NATIVE_LINE = -2;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * One thread.
   *
   * @param kernelNumber empty if the JVM does not say
   * @param processorNanos what it has had of the processors; empty if the JVM does not say
   * @param blocked whether it waits to enter a monitor
   * @param frames innermost first; none for a thread that runs no Java
   */
  record Thread(
      String name,
      OptionalLong kernelNumber,
      OptionalLong processorNanos,
      boolean blocked,
      List<StackTraceElement> frames) {

    Thread withKernelNumber(OptionalLong number) {
      return new Thread(name, number, processorNanos, blocked, frames);
    }
  }

  private ThreadDump() {}

  static List<Thread> parse(String text) {
    List<Thread> threads = new ArrayList<>();
    String head = null;
    boolean blocked = false;
    List<StackTraceElement> frames = new ArrayList<>();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.startsWith("\"")) {
        add(threads, head, blocked, frames);
        head = line;
        blocked = false;
        frames = new ArrayList<>();
      } else if (head != null && line.startsWith(STATE)) {
        blocked = line.startsWith("BLOCKED", STATE.length());
      } else if (head != null) {
        Matcher frame = FRAME.matcher(line);
        if (frame.matches()) {
          frames.add(frame(frame.group(1), frame.group(2), frame.group(3)));
        }
      }
    }
    add(threads, head, blocked, frames);
    return threads;
  }

  private static void add(
      List<Thread> threads, String head, boolean blocked, List<StackTraceElement> frames) {
    if (head == null || head.lastIndexOf('"') == 0) {
      return;
    }
    int end = head.lastIndexOf('"');
    String rest = head.substring(end + 1);
    Matcher number = KERNEL_NUMBER.matcher(rest);
    Matcher processor = PROCESSOR.matcher(rest);
    threads.add(
        new Thread(
            head.substring(1, end),
            number.find()
                ? OptionalLong.of(
                    Long.parseLong(number.group(2), number.group(1) == null ? 10 : 16))
                : OptionalLong.empty(),
            processor.find()
                ? OptionalLong.of(
                    Math.round(Double.parseDouble(processor.group(1)) * NANOS_PER_MILLI))
                : OptionalLong.empty(),
            blocked,
            List.copyOf(frames)));
  }

  /** The frame that {@link StackTraceElement#toString} of another JVM says; empty if it is none. */
  static Optional<StackTraceElement> element(String text) {
    Matcher frame = ELEMENT.matcher(text);
    return frame.matches()
        ? Optional.of(frame(frame.group(1), frame.group(2), frame.group(3)))
        : Optional.empty();
  }

  /** A frame without its module, as {@link java.lang.Thread#getStackTrace} names it in a rule. */
  private static StackTraceElement frame(String type, String method, String place) {
    boolean isNative = place.equals("Native Method");
    int colon = place.lastIndexOf(':');
    int line = -1;
    if (colon > 0 && place.substring(colon + 1).chars().allMatch(Character::isDigit)) {
      line = Integer.parseInt(place.substring(colon + 1));
    }
    return new StackTraceElement(
        type,
        method,
        isNative || colon < 0 ? null : place.substring(0, colon),
        isNative ? NATIVE_LINE : line);
  }
}
