package io.weir.cli;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir stress}: reads options, runs the experiment, prints the table, writes the report. */
@Command(
    name = "stress",
    description = {
      "Measures reopen latency of near-real-time search while a large merge runs, and the kernel's"
          + " dirty pages meanwhile.",
      "",
      "Builds an index (or uses the one in --index), then runs each arm in a JVM of its own on a copy"
          + " made of hard links: updates at a steady rate, reopens on a fixed schedule, searches at"
          + " random times, and after a while a forced merge. Latency counts from when an operation was"
          + " due; nothing is dropped.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = WeirVersion.class,
    sortOptions = false,
    modelTransformer = SettingOptions.class,
    footer = {
      "",
      "An arm is 'NAME: setting=value, ...'; whatever it does not set it takes from the options.",
      "Settings: preset=weir|stock  cap=RATE|off  lucene-force-merge-cap=RATE  full-flush-wait=TIME",
      "  writeback=SIZE|off  drop-written=never|large|always  small-files=SIZE|off",
      "  unmap=deferred|inline  warmer=on|off  readers-first=on|off",
      "  id-postings=resident|preloaded|default",
      "  compound=default|always|never  directory=mmap|nio|direct|heap  cache=cold|warm|as-is",
      "  merge=forced|natural|none  mode=update|soft-update|add",
      "  updates-per-second=  reopens-per-second=  searches-per-second=  commits-per-minute=",
      "  warmup=  before=  during=  after=  jvm=PATH  jvm-args='-XX:+UseZGC ...'",
      "preset=weir means cap=off, full-flush-wait=0ms, writeback=1MiB, drop-written=never,",
      "  small-files=64KiB, unmap=deferred, warmer=on, readers-first=on,",
      "  id-postings=resident (such arms start from a second index, DIR-resident beside --index DIR);",
      "compound=always packs the files of every segment into one, as search engines often do; never",
      "  packs none. By default Lucene leaves segments of more than a tenth of the index unpacked, so",
      "  two indexes built alike can differ in it, and in what merges and reopens cost. Arms with always",
      "  or never start from an index of their own too, DIR-compound or DIR-noncompound;",
      "directory=heap holds the index on the heap, so an arm needs jvm-args=-Xmx of about 2.5 times the",
      "  index and 256 MB; writeback, small-files and readers-first are off with it.",
      "preset=stock is Lucene as it comes, to which each but cap and readers-first can be added.",
      "Sizes: 1MiB, 512KiB. Rates: 10MB/s, 1.5GiB/s, 512KiB/s. Durations: 500ms, 10s, 2m.",
      "Figures of --slo, during the merge, the median of rounds: reopen.p50, .p90, .p99, .max, .mean;",
      "  search.p50, .p99, .max; commit.p99, .max; merge.seconds; indexing.rate; gc.pause.max, .total;",
      "  and of the whole arm dirty.peak. A bound is 100ms, 90s, 16MB, 49/s, or a ratio to another arm:",
      "  1.2x stock.",
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
      "  weir stress --index /data/index --rounds 5 --cache cold --arm preset=stock --arm preset=weir",
      "  weir stress --arm 'mapped: cache=warm' --arm 'in RAM: directory=heap, jvm-args=-Xmx4g'",
      "  weir stress --arm 'g1: jvm-args=-XX:+UseG1GC' --arm 'zgc: jvm-args=-XX:+UseZGC' --rounds 5",
      "  weir stress --index /data/index --rounds 5 --dry-run",
      "  weir stress --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 500MB'",
      "",
      "Exit codes: 0 done, 1 something broke, 2 wrong usage, 3 an objective was missed, 4 the machine",
      "is too noisy or a page cache not as asked (only with --strict), 130 interrupted (a partial report is written)."
    })
final class StressCommand implements Callable<Integer> {

  private static final List<String> DEFAULT_ARMS = List.of("uncapped: cap=off", "cap=10MB/s");

  @Spec private CommandSpec spec;

  @Mixin private DocumentOptions documents;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description = "One variant; repeatable. Default: 'uncapped: cap=off' and 'cap=10MB/s'.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Run all arms so many times, in each round in another order, and compare them with the"
              + " first; 5 or more for an interval. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--slo",
      paramLabel = "SLO",
      description =
          "What arms are held to: '[ARM:] FIGURE < BOUND', also <=, > and >=; repeatable. If one is"
              + " missed the command ends with 3. The run directory has a slo.xml (JUnit) for build"
              + " servers.")
  private List<String> slos = new ArrayList<>();

  @Mixin private RunOptions options;

  @Override
  public Integer call() throws Exception {
    StressPlan plan = plan();
    return new ExperimentRun(spec, options).call(plan, plan.queue(), ForecastText::of);
  }

  private StressPlan plan() {
    try {
      List<Arm> planned = new ArrayList<>();
      ArmSettings ofTheRun = SettingOptions.of(spec.commandLine().getParseResult());
      for (String arm : arms.isEmpty() ? DEFAULT_ARMS : arms) {
        planned.add(ArmOption.parse(arm, ofTheRun));
      }
      return options.plan(documents, planned, rounds, slos.stream().map(SloOption::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
