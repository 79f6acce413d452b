package io.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.indexing.plan.IndexingPlan;
import io.weir.indexing.run.IndexingRun;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.report.words.Figures;
import io.weir.run.Run;
import io.weir.run.RunJson;
import io.weir.run.SweepPoint;
import io.weir.stress.experiment.EngineSource;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Slo;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.sweep.CapSweep;
import io.weir.stress.sweep.SweepPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What {@code --dry-run} prints.
 *
 * @param text for people
 * @param json for programs, with {@code --json}: what is not known is left out
 */
record Forecast(String text, ObjectNode json) {

  private static final int MOST_ROUNDS = 10;
  private static final String NOTHING_WAS_RUN = "Nothing was run. The plan:\n";

  /** Of {@code weir stress} on Lucene. */
  static Forecast of(RunForecast forecast) {
    StringBuilder out = begin(forecast);
    StressPlan plan = forecast.plan();
    for (int round = 1; round <= Math.min(plan.rounds(), MOST_ROUNDS); round++) {
      line(
          out,
          plan.rounds() == 1 ? "arms" : "round " + round,
          plan.order(round).stream().map(Arm::name).collect(Collectors.joining("; ")));
    }
    if (plan.rounds() > MOST_ROUNDS) {
      line(out, "", "and %d rounds more".formatted(plan.rounds() - MOST_ROUNDS));
    }
    time(
        out,
        forecast
            .time()
            .map(
                time ->
                    "about %s, if a merge writes %s where no cap is lower"
                        .formatted(minutes(time), mergeRate())));
    ObjectNode json = json(Run.Kind.STRESS, forecast);
    forecast.time().ifPresent(time -> json.put("seconds", seconds(time)));
    return new Forecast(end(out, plan, arm -> arm.settings().describe()), json);
  }

  /** Of a sweep, whose arms are not known yet: how they will be chosen. */
  static Forecast of(RunForecast forecast, SweepPlan sweep) {
    StringBuilder out = begin(forecast);
    line(
        out,
        "caps",
        sweep.caps().isEmpty()
            ? "first none; if that misses, %s, and half of that again and again, down to %s; then caps between"
                .formatted(
                    sweep.most().isPresent()
                        ? SweepPoint.capText(sweep.most().getAsLong())
                        : "half of what the merge writes without a cap",
                    sweep.least().isPresent()
                        ? SweepPoint.capText(sweep.least().getAsLong())
                        : "a sixteenth of what it writes without one")
            : "none, "
                + sweep.caps().stream().map(SweepPoint::capText).collect(Collectors.joining(", ")));
    line(
        out,
        "rounds",
        "%d of each point, and as many again of an answer".formatted(sweep.rounds()));
    sweep.slos().forEach(slo -> line(out, "slo", slo.text()));
    Optional<Duration> most =
        forecast.indexBytes().isEmpty()
            ? Optional.empty()
            : Optional.of(
                forecast
                    .makingTime()
                    .plus(
                        new CapSweep(sweep)
                            .mostTime(
                                forecast.indexBytes().getAsLong(),
                                RunForecast.MERGE_BYTES_PER_SECOND)));
    time(
        out,
        most.map(
            time ->
                "at most about %s, if an uncapped merge writes %s and every answer is confirmed"
                    .formatted(minutes(time), mergeRate())));
    ObjectNode json = json(Run.Kind.SWEEP, forecast);
    json.set("capsBytesPerSecond", RunJson.tree(sweep.caps()));
    json.set("slos", RunJson.tree(sweep.slos().stream().map(Slo::text).toList()));
    most.ifPresent(time -> json.put("mostSeconds", seconds(time)));
    return new Forecast(end(out, forecast.plan(), arm -> arm.settings().describe()), json);
  }

  /** On an engine, where neither sizes nor times are known. */
  static Forecast of(EngineSource.Forecast forecast) {
    StressPlan plan = forecast.plan();
    return new Forecast(
        "index   %s%n%sarms    %s%nrounds  %d%n"
            .formatted(
                forecast.index(),
                plan.arms().size() == 1
                    ? "load    %s%n".formatted(load(plan.arms().getFirst().settings()))
                    : "",
                plan.arms().stream().map(Arm::name).collect(Collectors.joining("; ")),
                plan.rounds()),
        json(Run.Kind.STRESS, plan, arm -> arm.settings().describe())
            .put("index", forecast.index()));
  }

  /** What a run does to a cluster that it has not started, in one line. */
  static String intention(EngineSource.Forecast forecast) {
    return "this run uses %s: %s"
        .formatted(forecast.index(), load(forecast.plan().arms().getFirst().settings()));
  }

  private static String load(ArmSettings arm) {
    List<String> parts = new ArrayList<>();
    addRate(parts, arm.get(ArmSetting.UPDATES_PER_SECOND), "updates a second");
    addRate(parts, arm.get(ArmSetting.REOPENS_PER_SECOND), "refreshes (soft commits) a second");
    addRate(parts, arm.get(ArmSetting.SEARCHES_PER_SECOND), "searches a second");
    addRate(parts, arm.get(ArmSetting.COMMITS_PER_MINUTE), "commits a minute");
    switch (arm.get(ArmSetting.MERGE)) {
      case FORCED -> parts.add("a forced merge (an optimise)");
      case NATURAL -> parts.add("a natural merge");
      case NONE -> parts.add("nothing else");
    }
    return String.join(", ", parts);
  }

  private static void addRate(List<String> parts, LoadRate rate, String what) {
    if (rate.isAny()) {
      parts.add(rate.inWords(what));
    }
  }

  /** Of {@code weir load}: the arms, the loads and what the run takes at least. */
  static Forecast of(LoadPlan plan, Optional<RunForecast> indexes) {
    StringBuilder out = new StringBuilder(NOTHING_WAS_RUN);
    plan.target()
        .ifPresentOrElse(
            target -> line(out, "target", target.template()),
            () -> line(out, "documents", plan.run().documents().source()));
    line(out, "queries", plan.run().queries().toString());
    int steps =
        switch (plan.loads()) {
          case Loads.Listed listed -> listed.perSecond().size();
          case Loads.Auto auto -> 1;
        };
    double seconds =
        plan.run().arms().size()
            * plan.run().rounds()
            * (plan.warmUp().toMillis() + steps * plan.step().toMillis())
            / 1e3;
    line(
        out,
        "load",
        switch (plan.loads()) {
          case Loads.Listed listed -> listed.perSecond() + " requests/s";
          case Loads.Auto auto -> "as many steps as it takes to find saturation";
        });
    line(
        out,
        "time",
        "at least %s for %s, with steps of %s"
            .formatted(
                Figures.seconds(seconds),
                Figures.count(plan.run().rounds(), "round"),
                Figures.seconds(plan.step().toMillis() / 1e3)));
    ObjectNode json = json(Run.Kind.LOAD, plan.run(), plan::settings);
    indexes.ifPresent(known -> addIndexes(json, known));
    plan.target().ifPresent(target -> json.put("target", target.template()));
    json.set("requestsPerSecond", RunJson.tree(plan.loads().named()));
    json.put("leastSeconds", seconds);
    return new Forecast(end(out, plan.run(), plan::settings), json);
  }

  /** Of {@code weir index}. */
  static Forecast of(IndexingRun.Forecast forecast) {
    IndexingPlan plan = forecast.plan();
    int cells = plan.cells().size();
    double least = seconds(plan.duration()) * plan.rounds() * cells;
    double most = seconds(plan.longest());
    StringBuilder out = new StringBuilder();
    out.append(
        "%s, %s of %s; each cell indexes for %s to %s.%n"
            .formatted(
                forecast.documents(),
                Figures.count(plan.rounds(), "round"),
                Figures.count(cells, "cell"),
                Figures.seconds(least / plan.rounds() / cells),
                Figures.seconds(most / plan.rounds() / cells)));
    out.append(
        "In all %s to %s, plus the time that each cell takes to finish its merges.%n"
            .formatted(Figures.seconds(least), Figures.seconds(most)));
    out.append("JVM of each cell: %s%n".formatted(String.join(" ", forecast.heap())));
    out.append("Free on the disk of indexes: %s%n".formatted(Figures.bytes(forecast.freeBytes())));
    List<String> titles = plan.cells().stream().map(cell -> cell.key().title()).toList();
    titles.forEach(title -> out.append("  ").append(title).append('\n'));
    ObjectNode json =
        json(
            Run.Kind.INDEX,
            plan.out(),
            plan.rounds(),
            plan.arms(),
            arm -> arm.settings().describe(ArmKind.INDEX));
    json.set("cells", RunJson.tree(titles));
    json.put("freeBytes", forecast.freeBytes());
    json.put("leastSeconds", least);
    json.put("mostSeconds", most);
    return new Forecast(out.toString(), json);
  }

  private static ObjectNode json(Run.Kind kind, RunForecast forecast) {
    ObjectNode json = json(kind, forecast.plan(), arm -> arm.settings().describe());
    addIndexes(json, forecast);
    return json;
  }

  private static ObjectNode json(
      Run.Kind kind, StressPlan plan, Function<Arm, Map<String, String>> settings) {
    return json(kind, plan.out(), plan.rounds(), plan.arms(), settings);
  }

  private static ObjectNode json(
      Run.Kind kind,
      Path out,
      int rounds,
      List<Arm> arms,
      Function<Arm, Map<String, String>> settings) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("kind", RunJson.tree(kind));
    json.put("out", out.toString());
    json.put("rounds", rounds);
    ArrayNode planned = json.putArray("arms");
    for (Arm arm : arms) {
      planned
          .addObject()
          .put("name", arm.name())
          .set("settings", RunJson.tree(settings.apply(arm)));
    }
    return json;
  }

  private static void addIndexes(ObjectNode json, RunForecast forecast) {
    ArrayNode indexes = json.putArray("indexes");
    forecast
        .making()
        .forEach(
            (index, making) ->
                indexes
                    .addObject()
                    .put("path", index.toString())
                    .put("making", making.name().toLowerCase(Locale.ROOT)));
    forecast.indexBytes().ifPresent(bytes -> json.put("indexBytes", bytes));
    forecast.neededBytes().ifPresent(bytes -> json.put("neededBytes", bytes));
    json.put("freeBytes", forecast.usableBytes());
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  private static StringBuilder begin(RunForecast forecast) {
    StringBuilder out = new StringBuilder(NOTHING_WAS_RUN);
    StressPlan plan = forecast.plan();
    forecast
        .making()
        .forEach(
            (index, making) ->
                line(
                    out,
                    "index",
                    switch (making) {
                      case THERE -> index + ", which is there";
                      case BUILT ->
                          index
                              + ", built from "
                              + plan.documents().source()
                              + plan.documents().vectors().map(of -> ", vectors " + of).orElse("");
                      case REWRITTEN -> index + ", rewritten from another layout";
                    }));
    line(
        out,
        "disk",
        forecast.neededBytes().isEmpty()
            ? "unknown until the documents are read; %s are free"
                .formatted(gigabytes(forecast.usableBytes()))
            : "about %s, an index being %s; %s are free"
                .formatted(
                    gigabytes(forecast.neededBytes().getAsLong()),
                    gigabytes(forecast.indexBytes().getAsLong()),
                    gigabytes(forecast.usableBytes())));
    line(
        out,
        "queries",
        plan.queries().file().isEmpty()
            ? plan.queries() + ", drawn from the index"
            : "those of " + plan.queries());
    return out;
  }

  private static void time(StringBuilder out, Optional<String> time) {
    line(out, "time", time.orElse("unknown until the documents are read"));
  }

  private static String mergeRate() {
    return RunForecast.MERGE_BYTES_PER_SECOND / 1_000_000 + " MB/s";
  }

  private static String end(
      StringBuilder out, StressPlan plan, Function<Arm, Map<String, String>> settings) {
    line(out, "out", plan.out().toString());
    for (Arm arm : plan.arms()) {
      String described =
          settings.apply(arm).entrySet().stream()
              .map(setting -> setting.getKey() + "=" + setting.getValue())
              .collect(Collectors.joining(", "));
      line(out, "arm", described.isEmpty() ? arm.name() : arm.name() + ": " + described);
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String what, String text) {
    out.append("  %-9s %s\n".formatted(what, text));
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
  }

  private static String minutes(Duration time) {
    long seconds = Math.max(1, Math.round(time.toMillis() / 1e3));
    return seconds < 120 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
  }
}
