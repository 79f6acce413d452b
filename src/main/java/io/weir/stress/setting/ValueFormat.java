package io.weir.stress.setting;

import io.weir.control.LatencyTarget;
import io.weir.control.Percentile;
import io.weir.option.HumanBytes;
import io.weir.option.HumanCores;
import io.weir.option.HumanDuration;
import io.weir.option.HumanRate;
import io.weir.rate.Rate;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.Version;

/**
 * How the values of a setting are written: what parses them, prints them and checks them.
 *
 * <p><b>Threads:</b> immutable. <b>Failure:</b> the parser and the rule throw {@link
 * IllegalArgumentException}; their first argument is the setting's key, for the message.
 *
 * @param syntax as help shows it: {@code RATE|off}
 * @param parser from the text of the command line or of a file
 * @param printer to a text that the parser takes; empty for a value that has none
 * @param rule refuses values out of range, however they came about
 */
record ValueFormat<T>(
    String syntax,
    BiFunction<String, String, T> parser,
    Function<T, Optional<String>> printer,
    BiConsumer<String, T> rule) {

  private static final Duration MAX_DURATION = Duration.ofHours(24);

  private static final String OFF = "off";

  private static final Pattern TARGET =
      Pattern.compile("([a-z]+)\\.p(\\d{1,2}(?:\\.\\d{1,3})?)\\s*<\\s*(.+)");

  private enum Switch {
    ON,
    OFF
  }

  private ValueFormat(
      String syntax, BiFunction<String, String, T> parser, Function<T, Optional<String>> printer) {
    this(syntax, parser, printer, (key, value) -> {});
  }

  private ValueFormat<T> withRule(BiConsumer<String, T> newRule) {
    return new ValueFormat<>(syntax, parser, printer, newRule);
  }

  /** One constant of an enum, in lower case and with hyphens. */
  static <E extends Enum<E>> ValueFormat<E> choice(Class<E> type) {
    List<E> constants = List.of(type.getEnumConstants());
    List<String> names = constants.stream().map(ValueFormat::spelled).toList();
    return new ValueFormat<>(
        String.join("|", names),
        (key, text) -> {
          int index = names.indexOf(text.toLowerCase(Locale.ROOT));
          if (index < 0) {
            throw new IllegalArgumentException(
                key + " must be one of " + String.join(", ", names) + ": " + text);
          }
          return constants.get(index);
        },
        value -> Optional.of(spelled(value)));
  }

  /** {@code on} or {@code off}. */
  static ValueFormat<Boolean> onOrOff() {
    ValueFormat<Switch> choice = choice(Switch.class);
    return new ValueFormat<>(
        choice.syntax(),
        (key, text) -> choice.parser().apply(key, text) == Switch.ON,
        on -> choice.printer().apply(on ? Switch.ON : Switch.OFF));
  }

  /** A rate; {@link Rate#UNLIMITED} has no text. */
  static ValueFormat<Rate> rate() {
    return new ValueFormat<>(
        "RATE",
        (key, text) -> Rate.perSecond(HumanRate.parse(key, text)),
        rate -> Optional.of(rate).filter(Rate::isLimited).map(HumanRate::print));
  }

  /** A rate, or {@code off}, which is {@link Rate#UNLIMITED}. */
  static ValueFormat<Rate> rateOrOff() {
    return new ValueFormat<>(
        "RATE|off",
        HumanRate::parseOrOff,
        rate -> Optional.of(rate.isLimited() ? HumanRate.print(rate) : OFF));
  }

  /** A number of cores, or {@code off}, which is empty. */
  static ValueFormat<OptionalDouble> coresOrOff() {
    return new ValueFormat<>(
        "CORES|off",
        (key, text) -> HumanCores.parse(key, text, OFF),
        cores -> Optional.of(cores.isPresent() ? Double.toString(cores.getAsDouble()) : OFF));
  }

  /** A number of bytes, or {@code off}, which is empty. */
  static ValueFormat<OptionalLong> sizeOrOff(BiConsumer<String, Long> ruleOfSizes) {
    return new ValueFormat<OptionalLong>(
            "SIZE|off",
            HumanBytes::parseOrOff,
            bytes -> Optional.of(bytes.isPresent() ? HumanBytes.print(bytes.getAsLong()) : OFF))
        .withRule((key, bytes) -> bytes.ifPresent(size -> ruleOfSizes.accept(key, size)));
  }

  /** A limit of a percentile of one of {@code latencies}: {@code reopen.p99<50ms}. */
  static ValueFormat<LatencyTarget> latencyTarget(String... latencies) {
    return new ValueFormat<>(
        "LATENCY.pN<TIME",
        (key, text) -> {
          Matcher matcher = TARGET.matcher(text.trim());
          if (!matcher.matches() || !List.of(latencies).contains(matcher.group(1))) {
            throw new IllegalArgumentException(
                "%s must be a percentile and a limit of %s, such as %s.p99<50ms: %s"
                    .formatted(key, String.join(" or ", latencies), latencies[0], text));
          }
          return new LatencyTarget(
              matcher.group(1),
              new Percentile(Double.parseDouble(matcher.group(2))),
              HumanDuration.parse(key, matcher.group(3)));
        },
        target ->
            Optional.of(
                "%s.%s<%s"
                    .formatted(
                        target.latency(),
                        target.percentile(),
                        HumanDuration.print(target.limit()))));
  }

  /** A duration from nothing to a day. */
  static ValueFormat<Duration> duration() {
    return durationFrom(Duration.ZERO);
  }

  /** A duration of at least that to a day. */
  static ValueFormat<Duration> durationFrom(Duration least) {
    return new ValueFormat<>(
            "TIME", HumanDuration::parse, time -> Optional.of(HumanDuration.print(time)))
        .withRule(
            (key, time) -> {
              if (time.compareTo(least) < 0 || time.compareTo(MAX_DURATION) > 0) {
                throw new IllegalArgumentException(
                    "%s must be from %s s to 24 h: %s s"
                        .formatted(
                            key, number(least.toMillis() / 1e3), number(time.toMillis() / 1e3)));
              }
            });
  }

  /**
   * A rate of at most so many a unit of time.
   *
   * @param unit {@code second} or {@code minute}
   */
  static ValueFormat<LoadRate> per(String unit, double most) {
    LoadRateFormat format = new LoadRateFormat(unit, most, ValueFormat::number);
    return new ValueFormat<>(
        "N|N,N.../TIME", format::parse, rate -> Optional.of(format.print(rate)), format::check);
  }

  /** A whole number from 0 to {@code most}. */
  static ValueFormat<Integer> count(int most) {
    return new ValueFormat<>(
            "N",
            (key, text) -> {
              if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException(
                    "%s must be a whole number from 0 to %d: %s".formatted(key, most, text));
              }
              return Integer.valueOf(text);
            },
            count -> Optional.of(count.toString()))
        .withRule(
            (key, count) -> {
              if (count < 0 || count > most) {
                throw new IllegalArgumentException(
                    "%s must be a whole number from 0 to %d: %d".formatted(key, most, count));
              }
            });
  }

  /** A version of Lucene from {@code least} on. */
  static ValueFormat<Version> versionFrom(Version least) {
    return new ValueFormat<>(
            "VERSION",
            (key, text) -> {
              try {
                return Version.parse(text);
              } catch (ParseException e) {
                throw new IllegalArgumentException(
                    "%s must be a version, such as %s: %s".formatted(key, least, text), e);
              }
            },
            version -> Optional.of(version.toString()))
        .withRule(
            (key, version) -> {
              if (!version.onOrAfter(least)) {
                throw new IllegalArgumentException(
                    "%s must be %s or newer: %s".formatted(key, least, version));
              }
            });
  }

  /** A text as it is, such as a path. */
  static ValueFormat<String> text(String syntax) {
    return new ValueFormat<>(syntax, (key, text) -> text, Optional::of);
  }

  /** Words with blanks between them; no words have no text. */
  static ValueFormat<List<String>> words(String syntax) {
    return new ValueFormat<>(
        syntax,
        (key, text) -> text.isBlank() ? List.of() : List.of(text.trim().split("\\s+")),
        words -> words.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", words)));
  }

  /** Values of {@code format} or none, which has no text. */
  static <T> ValueFormat<Optional<T>> optional(ValueFormat<T> format) {
    return new ValueFormat<>(
        format.syntax(),
        (key, text) -> Optional.of(format.parser().apply(key, text)),
        value -> value.flatMap(format.printer()),
        (key, value) -> value.ifPresent(present -> format.rule().accept(key, present)));
  }

  private static String spelled(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Without a fraction where there is none. */
  private static String number(double value) {
    return value == Math.rint(value) && Double.isFinite(value)
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
