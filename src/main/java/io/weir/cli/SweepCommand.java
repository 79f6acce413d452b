package io.weir.cli;

import io.weir.option.HumanRate;
import io.weir.run.Run;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.experiment.StressRun;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.sweep.CapSweep;
import io.weir.stress.sweep.SweepPlan;
import io.weir.stress.sweep.SweptArm;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir sweep}: which cap a machine can afford, and what it costs. */
@Command(
    name = "sweep",
    description = {
      "Finds the cap on merges that meets objectives at the lowest price, and says what that price"
          + " is: for Weir's cap, and for stock Lucene's own.",
      "",
      "Each point is an arm of weir stress, run --rounds times and judged by medians. The first"
          + " point has no cap: it shows how fast the merge writes by itself. If it misses an"
          + " objective, the sweep halves the cap until one meets them all. Then it halves the gap"
          + " between the highest cap that met and the lowest that missed, until they are within 20"
          + " %%. Of the caps that met, it runs the one with the shortest merge as many times again"
          + " and judges it by all its rounds; if that misses, the search goes on. Latency is noisy"
          + " and need not follow the cap: the report has every point, also those that contradict"
          + " others.",
      ""
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = ArmOptions.OfSweep.class,
    footer = {
      "",
      "An arm is 'NAME: setting=value, ...' as in weir stress, but without a cap; weir stress"
          + " --help=all",
      "lists the settings. The sweep adds cap=RATE, or with preset=stock"
          + " lucene-force-merge-cap=RATE,",
      "and calls the arm 'NAME 42MB/s' or 'NAME uncapped'. With count-reads=on the caps, and the",
      "defaults of --least and --most, count what merges read as well.",
      "",
      "Figures of --slo are those of weir stress. A bound is absolute (100ms, 90s, 16MB, 49/s) or"
          + " a",
      "ratio of its median to that of the same arm without a cap: 1.5x uncapped.",
      "",
      "Examples:",
      "  weir sweep --slo 'reopen.p99 < 100ms'",
      "  weir sweep --slo 'reopen.p99 < 50ms' --least 5MB/s --most 80MB/s --rounds 5",
      "  weir sweep --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 200MB' --index /data/linux-index"
          + " \\",
      "      --docs /usr/src/linux",
      "  weir sweep --slo 'reopen.p99 < 0.5x uncapped' --slo 'merge.seconds < 2x uncapped'",
      "  weir sweep --slo 'reopen.p99 < 100ms' --caps 5MB/s,10MB/s,20MB/s,40MB/s",
      "  weir sweep --slo 'search.p99 < 80ms' --arm 'weir: preset=weir' --arm 'no yield:"
          + " readers-first=off'",
      "  weir sweep --slo 'reopen.p99 < 100ms' --dry-run",
      "",
      "Exit codes: 0 every arm has a cap that meets the objectives, 1 an arm or Weir failed, 2"
          + " wrong",
      "usage, 3 an arm has no such cap, 4 the machine is too noisy (only with --strict),",
      "130, 143 or 129 stopped by SIGINT (Ctrl-C), SIGTERM or SIGHUP (with a report of the points so far)."
    })
final class SweepCommand extends RunCommand {

  private static final List<String> DEFAULT_ARMS =
      List.of("weir: preset=weir", "stock: preset=stock");

  @Option(
      names = "--slo",
      paramLabel = "SLO",
      description =
          "An objective that a cap must meet: 'FIGURE < BOUND', also <=, > and >=; repeatable, at"
              + " least one.")
  private List<String> slos = new ArrayList<>();

  @Option(
      names = "--caps",
      paramLabel = "RATE",
      split = ",",
      description = "Do not search: measure these caps and no cap, and choose among them.")
  private List<String> caps = new ArrayList<>();

  @Option(
      names = "--least",
      paramLabel = "RATE",
      description =
          "The lowest cap to try. Default: a sixteenth of what the merge writes without a cap.")
  private String least;

  @Option(
      names = "--most",
      paramLabel = "RATE",
      description =
          "The highest cap to try, and the first. Default: half of what the merge writes without"
              + " one.")
  private String most;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Run each point this many times, and an answer as many times again. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "An arm to sweep, each on its own; repeatable. Default: 'weir: preset=weir' and 'stock:"
              + " preset=stock'.")
  private List<String> arms = new ArrayList<>();

  @Mixin private DocumentOptions documents;

  @Mixin private RunOptions options;

  @Override
  Asked<RunForecast> asked() {
    SweepPlan sweep = sweep();
    StressPlan plan = options.plan(documents, sweep.uncapped(), rounds, List.of());
    return options.asked(
        StressRun.onLucene(Run.Kind.SWEEP, plan, new CapSweep(sweep)),
        forecast -> Forecast.of(forecast, sweep));
  }

  private SweepPlan sweep() {
    ArmOptions read = new ArmOptions.OfSweep();
    return new SweepPlan(
        read.parse(
            arms.isEmpty() ? DEFAULT_ARMS : arms,
            read.ofTheRun(spec.commandLine().getParseResult()),
            SweptArm::new),
        slos.stream().map(SloOption::parse).toList(),
        caps.stream().map(cap -> HumanRate.parse("caps", cap)).toList(),
        rate("least", least),
        rate("most", most),
        rounds,
        documents.seed());
  }

  private static OptionalLong rate(String option, String text) {
    return text == null ? OptionalLong.empty() : OptionalLong.of(HumanRate.parse(option, text));
  }
}
