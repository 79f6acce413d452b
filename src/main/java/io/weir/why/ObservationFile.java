package io.weir.why;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads what {@link WhyReport#json} wrote. The answer in it is left out: an observation is answered
 * anew, so that two of them are answered by the same rules.
 *
 * <p><b>Failure:</b> {@link WhyException} whose message names the file and what is wrong with it.
 */
public final class ObservationFile {

  /** Its name in a directory. */
  public static final String NAME = "why.json";

  private static final String VERSION = "whySchemaVersion";
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Path file;

  private ObservationFile(Path file) {
    this.file = file;
  }

  /**
   * Reads one.
   *
   * @param given the file, or a directory with a file {@value #NAME}
   */
  public static Observation read(Path given) throws WhyException {
    ObservationFile file =
        new ObservationFile(Files.isDirectory(given) ? given.resolve(NAME) : given);
    return file.read();
  }

  private Observation read() throws WhyException {
    try {
      return observation(RunJson.parse(Files.readString(file)));
    } catch (JsonProcessingException e) {
      throw new WhyException(
          "%s cannot be read as JSON: %s".formatted(file, FailureWords.of(e).split(" at \\[")[0]),
          e);
    } catch (IOException e) {
      String reason = FailureWords.of(e);
      throw new WhyException(
          "%s cannot be read: %s".formatted(file, reason.replace(file + ": ", "")), e);
    }
  }

  private Observation observation(JsonNode tree) throws WhyException {
    if (!tree.path(VERSION).isInt()) {
      throw new WhyException(
          "%s was not written by weir why: it has no %s".formatted(file, VERSION));
    }
    if (tree.path(VERSION).intValue() != WhyReport.SCHEMA_VERSION) {
      throw new WhyException(
          "%s was written by another version of Weir: %s must be %d: %d"
              .formatted(file, VERSION, WhyReport.SCHEMA_VERSION, tree.path(VERSION).intValue()));
    }
    return new Observation(
        facts(tree),
        stacks(tree),
        series(tree),
        about(tree),
        strings(tree, "unseen"),
        strings(tree, "cost"));
  }

  private Map<Fact, Double> facts(JsonNode tree) throws WhyException {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object(tree, "facts").properties()) {
      JsonNode value = entry.getValue().path("value");
      JsonNode unit = entry.getValue().path("unit");
      if (!value.isNumber() || !unit.isTextual()) {
        throw wrong("facts." + entry.getKey(), "a number and its unit");
      }
      facts.put(Fact.named(entry.getKey(), unit.textValue()), value.doubleValue());
    }
    return facts;
  }

  private List<SlowReopen.Stack> stacks(JsonNode tree) throws WhyException {
    List<SlowReopen.Stack> stacks = new ArrayList<>();
    for (JsonNode node : list(tree, "stacks")) {
      List<StackTraceElement> frames = new ArrayList<>();
      for (String frame : strings(node, "frames")) {
        int dot = frame.lastIndexOf('.');
        if (dot < 0) {
          throw wrong("stacks.frames", "names of methods: " + frame);
        }
        frames.add(
            new StackTraceElement(frame.substring(0, dot), frame.substring(dot + 1), null, -1));
      }
      String cause = node.path("cause").asText();
      try {
        stacks.add(
            new SlowReopen.Stack(
                ReopenCause.valueOf(cause.toUpperCase(Locale.ROOT)),
                frames,
                node.path("samples").asInt(),
                node.path("millis").asLong() * NANOS_PER_MILLI));
      } catch (IllegalArgumentException e) {
        throw wrong("stacks.cause", "a cause that this version knows: " + cause);
      }
    }
    return stacks;
  }

  private Observation.Series series(JsonNode tree) throws WhyException {
    JsonNode series = object(tree, "series");
    return new Observation.Series(
        numbers(series, "seconds"),
        numbers(series, "refreshPercent"),
        numbers(series, "merges"),
        numbers(series, "diskMegabytesPerSecond"),
        numbers(series, "dirtyMegabytes"),
        numbers(series, "ioPressurePercent"));
  }

  private Map<String, String> about(JsonNode tree) throws WhyException {
    Map<String, String> about = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object(tree, "about").properties()) {
      about.put(entry.getKey(), entry.getValue().asText());
    }
    return about;
  }

  private List<String> strings(JsonNode tree, String name) throws WhyException {
    List<String> texts = new ArrayList<>();
    for (JsonNode text : list(tree, name)) {
      texts.add(text.asText());
    }
    return texts;
  }

  /** With NaN for null. */
  private List<Double> numbers(JsonNode tree, String name) throws WhyException {
    List<Double> values = new ArrayList<>();
    for (JsonNode value : list(tree, name)) {
      values.add(value.isNull() ? Double.NaN : value.asDouble());
    }
    return values;
  }

  private JsonNode object(JsonNode tree, String name) throws WhyException {
    if (!tree.path(name).isObject()) {
      throw wrong(name, "an object");
    }
    return tree.get(name);
  }

  private JsonNode list(JsonNode tree, String name) throws WhyException {
    if (!tree.path(name).isArray()) {
      throw wrong(name, "a list");
    }
    return tree.get(name);
  }

  private WhyException wrong(String name, String rule) {
    return new WhyException("%s is broken: %s must be %s".formatted(file, name, rule));
  }
}
