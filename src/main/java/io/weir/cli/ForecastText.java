package io.weir.cli;

import io.weir.indexing.plan.Cell;
import io.weir.indexing.run.IndexingRun;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.report.words.Figures;
import io.weir.run.SweepPoint;
import io.weir.stress.experiment.EngineForecast;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.sweep.CapSweep;
import io.weir.stress.sweep.SweepPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@code --dry-run} prints. */
final class ForecastText {

  private static final int MOST_ROUNDS = 10;

  private ForecastText() {}

  static String of(RunForecast forecast) {
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
    return end(out, plan);
  }

  /** Of a sweep, whose arms are not known yet: how they will be chosen. */
  static String of(RunForecast forecast, SweepPlan sweep) {
    StringBuilder out = begin(forecast);
    line(
        out,
        "caps",
        sweep.caps().isEmpty()
            ? "first none; if that misses, from %s down to %s by halves; then caps between"
                .formatted(
                    sweep.most().isPresent()
                        ? SweepPoint.capText(sweep.most().getAsLong())
                        : "half of what the merge writes by itself",
                    sweep.least().isPresent()
                        ? SweepPoint.capText(sweep.least().getAsLong())
                        : "a sixteenth of what it writes by itself")
            : "none, "
                + sweep.caps().stream().map(SweepPoint::capText).collect(Collectors.joining(", ")));
    line(
        out,
        "rounds",
        "%d of each point, and as many again of an answer".formatted(sweep.rounds()));
    sweep.slos().forEach(slo -> line(out, "slo", slo.text()));
    time(
        out,
        forecast.indexBytes().isEmpty()
            ? Optional.empty()
            : Optional.of(
                "at most about %s, if an uncapped merge writes %s and every answer is confirmed"
                    .formatted(
                        minutes(
                            forecast
                                .makingTime()
                                .plus(
                                    new CapSweep(sweep)
                                        .mostTime(
                                            forecast.indexBytes().getAsLong(),
                                            RunForecast.MERGE_BYTES_PER_SECOND))),
                        mergeRate())));
    return end(out, forecast.plan());
  }

  /** On an engine, where neither sizes nor times are known. */
  static String of(EngineForecast forecast) {
    StressPlan plan = forecast.plan();
    return "index   %s%n%sarms    %s%nrounds  %d%n"
        .formatted(
            forecast.index(),
            plan.arms().size() == 1
                ? "load    %s%n".formatted(load(plan.arms().getFirst().settings()))
                : "",
            plan.arms().stream().map(Arm::name).collect(Collectors.joining("; ")),
            plan.rounds());
  }

  /** What a run does to a cluster that it has not started, in one line. */
  static String intention(EngineForecast forecast) {
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
  static String of(LoadPlan plan) {
    StringBuilder out = new StringBuilder();
    plan.target()
        .ifPresentOrElse(
            target -> out.append("target    ").append(target.template()).append('\n'),
            () -> out.append("documents ").append(plan.run().documents().source()).append('\n'));
    out.append("queries   ").append(plan.run().queries()).append('\n');
    for (Arm arm : plan.run().arms()) {
      out.append("arm       %s: %s%n".formatted(arm.name(), plan.settings(arm)));
    }
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
    return out.append("load      ")
        .append(
            switch (plan.loads()) {
              case Loads.Listed listed -> listed.perSecond() + " requests/s";
              case Loads.Auto auto -> "as many steps as it takes to find saturation";
            })
        .append("\ntakes     at least ")
        .append(Figures.seconds(seconds))
        .append(" for ")
        .append(Figures.count(plan.run().rounds(), "round"))
        .append(", with steps of ")
        .append(Figures.seconds(plan.step().toMillis() / 1e3))
        .append('\n')
        .toString();
  }

  /** Of {@code weir index}. */
  static String of(IndexingRun.Forecast forecast) {
    StringBuilder out = new StringBuilder();
    out.append(
        "%s, %s of %s; each cell indexes for %s to %s.%n"
            .formatted(
                forecast.documents(),
                Figures.count(forecast.rounds(), "round"),
                Figures.count(forecast.cells().size(), "cell"),
                Figures.seconds(perCell(forecast.least().toMillis(), forecast)),
                Figures.seconds(perCell(forecast.most().toMillis(), forecast))));
    out.append(
        "In all %s to %s, plus the time that each cell takes to finish its merges.%n"
            .formatted(
                Figures.seconds(forecast.least().toMillis() / 1e3),
                Figures.seconds(forecast.most().toMillis() / 1e3)));
    out.append("JVM of each cell: %s%n".formatted(String.join(" ", forecast.heap())));
    out.append("Free on the disk of indexes: %s%n".formatted(Figures.bytes(forecast.freeBytes())));
    for (Cell cell : forecast.cells()) {
      out.append("  ").append(cell.key().title()).append('\n');
    }
    return out.toString();
  }

  private static double perCell(long millis, IndexingRun.Forecast forecast) {
    return millis / 1e3 / forecast.rounds() / forecast.cells().size();
  }

  private static StringBuilder begin(RunForecast forecast) {
    StringBuilder out = new StringBuilder("Nothing was run. The plan:\n");
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
                      case BUILT -> index + ", built from " + plan.documents().source();
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

  private static String end(StringBuilder out, StressPlan plan) {
    line(out, "out", plan.out().toString());
    for (Arm arm : plan.arms()) {
      line(
          out,
          "arm",
          arm.name()
              + ": "
              + arm.settings().describe().entrySet().stream()
                  .map(setting -> setting.getKey() + "=" + setting.getValue())
                  .collect(Collectors.joining(", ")));
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
