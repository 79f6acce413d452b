package io.weir.cli;

import io.weir.stress.experiment.StressRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSettings;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir stress}: reads options, runs the experiment, prints the table, writes the report. */
@Command(
    name = "stress",
    description = {
      "Measures how long near-real-time reopens take while a large merge runs, and how many dirty pages"
          + " the kernel holds.",
      "",
      "Builds an index, or uses the one in --index. Then each arm runs in a JVM of its own, on a copy"
          + " made of hard links: updates at a steady rate, reopens on a fixed schedule, searches at"
          + " random times and, after a while, a forced merge. Latency counts from the time at which an"
          + " operation was due; nothing is dropped.",
      ""
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    versionProvider = WeirVersion.class,
    sortOptions = false,
    modelTransformer = SettingTable.class,
    footer = {
      "",
      "Sizes: 1MiB, 512KiB. Rates: 10MB/s, 1.5GiB/s, 512KiB/s. Durations: 500ms, 10s, 2m.",
      "",
      "Figures of --slo, taken during the merge, the median of the rounds: reopen.p50, .p90, .p99, .max,",
      "  .mean; search.p50, .p99, .max; commit.p99, .max; merge.seconds; indexing.rate; gc.pause.max,",
      "  .total; on an engine visible.p50, .p99, .max. And of the whole arm: dirty.peak. A bound is 100ms,",
      "  90s, 16MB, 49/s, or a ratio to another arm: 1.2x stock.",
      "",
      "Examples:",
      "  weir stress",
      "  weir stress --docs /usr/src/linux --index /data/linux-index",
      "  weir stress --docs enwiki.xml.bz2 --doc-count 1000000 --mode add",
      "  weir stress --mode soft-update --arm 'stock: preset=stock, compound=always' \\",
      "    --arm 'weir: compound=always'",
      "  weir stress --arm 'stock: preset=stock' --arm 'capped: cap=20MB/s' --rounds 5",
      "  weir stress --queries mixed --searches-per-second 100",
      "  weir stress --queries weir-runs/monday/queries.txt",
      "  weir stress --index /data/index --rounds 5 --cache cold",
      "  weir stress --arm 'mapped: cache=warm' --arm 'in RAM: directory=heap, jvm-args=-Xmx4g'",
      "  weir stress --arm 'g1: jvm-args=-XX:+UseG1GC' --arm 'zgc: jvm-args=-XX:+UseZGC' --rounds 5",
      "  weir stress --index /data/index --rounds 5 --dry-run",
      "  weir stress --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 500MB'",
      "  weir stress --engine opensearch --engine-home \"$(tools/engine opensearch)\" \\",
      "    --engine-plugin target/dist/weir-opensearch-*.zip --docs synthetic:400000",
      "  weir stress --engine solr --engine-home \"$(tools/engine solr)\" \\",
      "    --engine-plugin target/dist/weir-solr-*.jar --docs synthetic:400000 --index /data/solr",
      "  weir stress --target http://localhost:9200 --docs synthetic:100000 --merge none",
      "  weir stress --target solr:http://localhost:8983/solr/products --queries words.txt",
      "",
      "Exit codes: 0 done, 1 an arm or Weir failed, 2 wrong usage, 3 an objective was missed, 4 the",
      "machine is too noisy or the page cache not as asked (only with --strict), 130, 143 or 129",
      "stopped by SIGINT (Ctrl-C), SIGTERM or SIGHUP (with a partial report)."
    })
final class StressCommand extends RunCommand {

  private static final List<String> DEFAULT_ARMS =
      List.of("stock: preset=stock", "weir: preset=weir");

  @Mixin private DocumentOptions documents;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "A variant to run: 'NAME: setting=value, ...'; repeatable. Default: 'stock: preset=stock' and"
              + " 'weir: preset=weir'.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Run all arms this many times, each round in another order, and compare them with the first"
              + " arm; with 5 or more, differences have an interval. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--slo",
      paramLabel = "SLO",
      description =
          "An objective for the arms: '[ARM:] FIGURE < BOUND', also <=, > and >=; repeatable. If one is"
              + " missed, the exit code is 3. For build servers, the run directory has a slo.xml (JUnit).")
  private List<String> slos = new ArrayList<>();

  @Mixin private RunOptions options;

  @Mixin private EngineOptions engine;

  @Override
  Asked<?> asked() {
    if (engine.any()) {
      EnginePlan plan = engine.plan(plan(engine.defaultArms()));
      return options.asked(StressRun.onEngine(plan), ForecastText::of);
    }
    return options.asked(StressRun.onLucene(plan(DEFAULT_ARMS)), ForecastText::of);
  }

  private StressPlan plan(List<String> defaultArms) {
    List<Arm> planned = new ArrayList<>();
    ArmSettings ofTheRun = SettingOptions.of(spec.commandLine().getParseResult());
    for (String arm : arms.isEmpty() ? defaultArms : arms) {
      planned.add(engine.adapted(ArmOption.parse(arm, ofTheRun)));
    }
    return options.plan(documents, planned, rounds, slos.stream().map(SloOption::parse).toList());
  }
}
