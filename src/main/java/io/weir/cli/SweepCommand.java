package io.weir.cli;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.HumanRate;
import io.weir.stress.sweep.CapSweep;
import io.weir.stress.sweep.SweepPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir sweep}: which cap a machine can afford, and what it costs. */
@Command(
    name = "sweep",
    description = {
      "Finds the cap on merges that meets objectives at the smallest price, and what that price is:"
          + " for Weir with its cap, and for stock Lucene with its own.",
      "",
      "Every point is an arm as of weir stress, run --rounds times and judged by the medians. The"
          + " first has no cap: it tells how fast the merge is by itself. If it misses an objective,"
          + " caps are halved from that rate on until one meets them all; then the gap between the"
          + " highest that met and the lowest that missed is halved until they are within 20 %%. Of"
          + " those that met, the one with the shortest merge is run as many times again and judged"
          + " by all its rounds; if it misses then, the search goes on. Latency is noisy and need not"
          + " follow the cap: every point is in the report, also one that contradicts others.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = WeirVersion.class,
    sortOptions = false,
    modelTransformer = SettingOptions.class,
    footer = {
      "",
      "An arm is 'NAME: setting=value, ...' as of weir stress, without a cap. The sweep adds cap=RATE,",
      "or with preset=stock lucene-force-merge-cap=RATE, and calls it 'NAME 42MB/s', 'NAME uncapped'.",
      "Figures of --slo are those of weir stress. A bound is absolute (100ms, 90s, 16MB, 49/s) or a",
      "ratio to the same arm without a cap, of the two medians: 1.5x uncapped.",
      "",
      "Examples:",
      "  weir sweep --slo 'reopen.p99 < 100ms'",
      "  weir sweep --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 200MB' --index /data/linux-index \\",
      "      --docs /usr/src/linux",
      "  weir sweep --slo 'reopen.p99 < 50ms' --least 5MB/s --most 80MB/s --rounds 5",
      "  weir sweep --slo 'reopen.p99 < 0.5x uncapped' --slo 'merge.seconds < 2x uncapped'",
      "  weir sweep --slo 'reopen.p99 < 100ms' --caps 5MB/s,10MB/s,20MB/s,40MB/s",
      "  weir sweep --slo 'search.p99 < 80ms' --arm 'weir: preset=weir' --arm 'no yield: readers-first=off'",
      "  weir sweep --slo 'reopen.p99 < 100ms' --dry-run",
      "",
      "Exit codes: 0 there is a cap for every arm, 1 something broke, 2 wrong usage, 3 for some arm",
      "none met the objectives, 4 the machine is too noisy (only with --strict), 130 interrupted (a",
      "report of the points so far is written)."
    })
final class SweepCommand implements Callable<Integer> {

  private static final List<String> DEFAULT_ARMS =
      List.of("weir: preset=weir", "stock: preset=stock");

  @Spec private CommandSpec spec;

  @Option(
      names = "--slo",
      paramLabel = "SLO",
      description =
          "What a cap must keep to: 'FIGURE < BOUND', also <=, > and >=; repeatable, and at least one"
              + " is needed.")
  private List<String> slos = new ArrayList<>();

  @Option(
      names = "--caps",
      paramLabel = "RATE",
      split = ",",
      description = "Do not search: measure these, and no cap, and choose among them.")
  private List<String> caps = new ArrayList<>();

  @Option(
      names = "--least",
      paramLabel = "RATE",
      description =
          "The lowest cap to try. Default: a sixteenth of what the merge writes by itself.")
  private String least;

  @Option(
      names = "--most",
      paramLabel = "RATE",
      description = "The highest cap to try, and the first. Default: half of that rate.")
  private String most;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Run each point so many times, and an answer as many times again. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "What to sweep, each by itself; repeatable. Default: 'weir: preset=weir' and 'stock:"
              + " preset=stock'.")
  private List<String> arms = new ArrayList<>();

  @Mixin private DocumentOptions documents;

  @Mixin private RunOptions options;

  @Override
  public Integer call() throws Exception {
    SweepPlan sweep;
    StressPlan plan;
    try {
      sweep = sweep();
      plan = options.plan(documents, sweep.uncapped(), rounds, List.of());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return new ExperimentRun(spec, options)
        .call(plan, new CapSweep(sweep), forecast -> ForecastText.of(forecast, sweep));
  }

  private SweepPlan sweep() {
    List<Arm> kinds = new ArrayList<>();
    ArmSettings ofTheRun = SettingOptions.of(spec.commandLine().getParseResult());
    for (String arm : arms.isEmpty() ? DEFAULT_ARMS : arms) {
      kinds.add(ArmOption.parse(arm, ofTheRun));
    }
    return new SweepPlan(
        kinds,
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
