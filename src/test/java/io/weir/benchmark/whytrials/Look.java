package io.weir.benchmark.whytrials;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What one call of {@code weir why} answered first.
 *
 * @param verdict as why.json has it
 * @param rule that answered; empty if none did
 */
record Look(String verdict, Optional<String> rule) {

  /** How {@code bin/weir} starts this command. */
  static final List<String> AS_BIN_WEIR =
      List.of("-XX:TieredStopAtLevel=1", "-Xmx512m", "-XX:+UseSerialGC");

  private static final Duration ENDING = Duration.ofMinutes(3);
  private static final String NOTHING_WRONG = "nothing-wrong";

  private static final String TOO_LITTLE = "too-little";

  /** Verdicts that name nothing. */
  private static final Set<String> NO_ANSWERS = Set.of("no-rule", "no-lucene", TOO_LITTLE);

  /** How good an answer is. */
  enum Outcome {
    RIGHT,
    WRONG,
    /** It said that it cannot say. */
    NO_ANSWER
  }

  /**
   * Calls the command as a process.
   *
   * @param length of the look, in whole seconds
   * @param directory for what it leaves
   */
  static Optional<Look> take(String address, Duration length, Path directory)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>(TrialBed.java(AS_BIN_WEIR.toArray(String[]::new)));
    command.addAll(List.of("io.weir.cli.Main", "why", address));
    command.addAll(List.of("--for", length.toSeconds() + "s", "--out", directory.toString()));
    Process why =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("why.log").toFile())
            .start();
    if (!why.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
      why.destroyForcibly().waitFor();
    }
    return why.exitValue() == 0 ? of(directory) : Optional.empty();
  }

  /** What a call left in its directory; empty if it did not end well. */
  static Optional<Look> of(Path directory) throws IOException {
    Path file = file(directory);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    JsonNode why = RunJson.parse(Files.readString(file));
    return Optional.of(
        new Look(why.path("verdict").asText(), Optional.ofNullable(why.path("rule").asText(null))));
  }

  /** Where a call leaves its answer. */
  static Path file(Path directory) {
    return directory.resolve("why.json");
  }

  /** Of a healthy target it is wrong to say that refreshes are slow, even if nothing is blamed. */
  Outcome outcome(Cause cause) {
    if (cause.isHealthy() && verdict.equals("no-rule")) {
      return Outcome.WRONG;
    }
    if (NO_ANSWERS.contains(verdict)) {
      return Outcome.NO_ANSWER;
    }
    boolean right =
        cause.isHealthy()
            ? verdict.equals(NOTHING_WRONG)
            : rule.filter(cause.right()::contains).isPresent();
    return right ? Outcome.RIGHT : Outcome.WRONG;
  }

  /** Whether it saw too little. */
  boolean isTooShort() {
    return verdict.equals(TOO_LITTLE);
  }

  /** What it said, in a word. */
  String said() {
    return rule.orElse(verdict);
  }
}
