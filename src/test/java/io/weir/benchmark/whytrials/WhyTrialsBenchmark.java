package io.weir.benchmark.whytrials;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import io.weir.benchmark.whytrials.Cause.Disk;
import io.weir.benchmark.whytrials.Look.Outcome;
import io.weir.option.HumanDuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How often the first answer of {@code weir why} is right: targets with one thing wrong, and
 * healthy ones, are looked at by the command itself.
 *
 * <p>Each look leaves its {@code why.json} in a directory of its own. What is there is kept, so the
 * same command goes on where an earlier one was ended. A look that failed is tried again by the
 * next command.
 */
public final class WhyTrialsBenchmark implements Benchmark {

  private static final int DEFAULT_RUNS = 10;
  private static final String DEFAULT_OUT = "weir-runs/why-trials";
  private static final String DEFAULT_MOUNT = "/mnt/weir-why-trials";

  /** Until its JVM has compiled what it does all the time. */
  private static final Duration SETTLING = Duration.ofSeconds(8);

  /** An answer that saw too little asks for a longer look. */
  private static final int LONGER = 3;

  @Override
  public String name() {
    return "why-trials";
  }

  @Override
  public String summary() {
    return "how often the first answer of weir why is right; goes on where it was ended";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("only", "trials such as plain/volume/warming or '*/nothing', with commas");
    options.put("runs", "looks at each; " + DEFAULT_RUNS);
    options.put("for", "how long a look is; 10s");
    options.put("out", "where the answers are; " + DEFAULT_OUT);
    options.put("mount", "where slow disks are made; " + DEFAULT_MOUNT);
    return options;
  }

  @Override
  public Map<String, String> flags() {
    return Map.of("list", "only shows what was measured, and looks at nothing");
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Map<String, String> options = conditions.options();
    Path out = Path.of(options.getOrDefault("out", DEFAULT_OUT)).toAbsolutePath();
    Night night =
        new Night(
            conditions,
            trials(options.getOrDefault("only", "*/volume/*,*/spindle/*")),
            runs(options.getOrDefault("runs", Integer.toString(DEFAULT_RUNS))),
            HumanDuration.parse(
                "--for", options.getOrDefault("for", conditions.quick() ? "5s" : "10s")),
            out,
            TrialBed.Places.of(
                conditions.directory(),
                Path.of(options.getOrDefault("mount", DEFAULT_MOUNT)),
                out.resolve("kept")));
    if (!options.containsKey("list")) {
      night.run();
    }
    return night.table();
  }

  private static int runs(String text) {
    if (!text.matches("[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException("--runs must be from 1 to 999: '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  /** A cause on a disk. */
  record Trial(Cause cause, Disk disk) {

    String label() {
      return "%s/%s/%s".formatted(cause.target().label(), disk.label(), cause.name());
    }
  }

  /** Those that some patterns name, with commas between; {@code *} stands for any text. */
  static List<Trial> trials(String patterns) {
    List<Trial> all = new ArrayList<>();
    for (Disk disk : Disk.values()) {
      Causes.ALL.stream()
          .filter(cause -> cause.disks().contains(disk))
          .forEach(cause -> all.add(new Trial(cause, disk)));
    }
    List<Trial> named = new ArrayList<>();
    for (String pattern : patterns.split(",")) {
      Pattern glob = Pattern.compile(Pattern.quote(pattern.strip()).replace("*", "\\E.*\\Q"));
      List<Trial> these =
          all.stream().filter(trial -> glob.matcher(trial.label()).matches()).toList();
      if (these.isEmpty()) {
        throw new IllegalArgumentException(
            "--only must name trials such as plain/volume/warming or '*/nothing': " + pattern);
      }
      named.addAll(these);
    }
    return all.stream().filter(named::contains).toList();
  }

  /**
   * One call of the command.
   *
   * @param length of a look
   * @param out where the answers are
   */
  record Night(
      Conditions conditions,
      List<Trial> trials,
      int runs,
      Duration length,
      Path out,
      TrialBed.Places places) {

    private Path directory(Trial trial, int run) {
      return out.resolve(trial.label()).resolve("look-" + run);
    }

    void run() throws IOException, InterruptedException {
      int failed = 0;
      for (Trial trial : trials) {
        List<Integer> todo = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
          if (Look.of(directory(trial, run)).isEmpty()) {
            todo.add(run);
          }
        }
        int most = trial.cause().needs().mostLooks();
        for (int from = 0; from < todo.size(); from += most) {
          failed += looks(trial, todo.subList(from, Math.min(todo.size(), from + most)));
        }
      }
      if (failed > 0) {
        say("%d looks failed; the same command tries them again", failed);
      }
    }

    private void say(String format, Object... arguments) {
      conditions.progress().println("why-trials: " + format.formatted(arguments));
    }

    /** Looks at one target; how many looks failed. */
    private int looks(Trial trial, List<Integer> todo) throws IOException, InterruptedException {
      Files.createDirectories(out.resolve(trial.label()));
      Path log = out.resolve(trial.label()).resolve("target.log");
      int failed = 0;
      try (TrialBed bed = new TrialBed(places, trial.cause(), trial.disk(), log)) {
        bed.start();
        if (!conditions.quick() && !trial.cause().needs().isBrief()) {
          bed.settle(SETTLING);
        }
        for (int run : todo) {
          Optional<Look> look = Look.take(bed.address(), length, directory(trial, run));
          if (look.filter(Look::isTooShort).isPresent()) { // and says so
            Files.delete(Look.file(directory(trial, run))); // or it would count if this ends now
            look = Look.take(bed.address(), length.multipliedBy(LONGER), directory(trial, run));
          }
          failed += look.isPresent() ? 0 : 1;
          say(
              "%s, look %d of %d: %s",
              trial.label(),
              run,
              runs,
              look.map(done -> done.said() + ", " + done.outcome(trial.cause()))
                  .orElse("failed, see " + directory(trial, run)));
        }
      } catch (IOException e) {
        say("%s: %s", trial.label(), e.getMessage());
        return todo.size();
      }
      return failed;
    }

    /** Of all looks until now. */
    TextTable table() throws IOException {
      TextTable table =
          new TextTable(
              "why-trials: the first answer of weir why --for " + length.toSeconds() + "s",
              3,
              "target",
              "disk",
              "cause",
              "looks",
              "right",
              "wrong",
              "no answer",
              "wrong answers");
      int healthy = 0;
      int alarms = 0;
      for (Trial trial : trials) {
        List<Look> looks = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
          Look.of(directory(trial, run)).ifPresent(looks::add);
        }
        Cause cause = trial.cause();
        long wrong = count(looks, cause, Outcome.WRONG);
        if (cause.isHealthy()) {
          healthy += looks.size();
          alarms += (int) wrong;
        }
        table.row(
            cause.target().label(),
            trial.disk().label(),
            cause.name(),
            Integer.toString(looks.size()),
            Long.toString(count(looks, cause, Outcome.RIGHT)),
            Long.toString(wrong),
            Long.toString(count(looks, cause, Outcome.NO_ANSWER)),
            wrongAnswers(looks, cause));
      }
      return table
          .note("healthy targets: %d of %d first answers were wrong".formatted(alarms, healthy))
          .note("right for each cause: the rules in " + Causes.class.getSimpleName())
          .note("no answer: it said that it knows no cause, or saw too little")
          .note(
              "where a look saw too little, one of %s followed, as it asks for"
                  .formatted(length.multipliedBy(LONGER).toSeconds() + "s"));
    }

    private static long count(List<Look> looks, Cause cause, Outcome outcome) {
      return looks.stream().filter(look -> look.outcome(cause) == outcome).count();
    }

    /** {@code small-heap x2, nothing-wrong}. */
    private static String wrongAnswers(List<Look> looks, Cause cause) {
      return looks.stream()
          .filter(look -> look.outcome(cause) == Outcome.WRONG)
          .collect(Collectors.groupingBy(Look::said, TreeMap::new, Collectors.counting()))
          .entrySet()
          .stream()
          .map(said -> said.getKey() + (said.getValue() > 1 ? " x" + said.getValue() : ""))
          .collect(Collectors.joining(", "));
    }
  }
}
