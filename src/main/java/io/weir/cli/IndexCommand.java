package io.weir.cli;

import io.weir.indexing.plan.IndexingPlan;
import io.weir.indexing.run.IndexingRun;
import io.weir.option.HumanBytes;
import io.weir.option.HumanDuration;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir index}: reads options, runs the cells, prints the tables, writes the report. */
@Command(
    name = "index",
    description = {
      "Measures how much text Lucene indexes in an hour at steady state, over threads and RAM buffers.",
      "",
      "Each cell, one arm with one number of threads and one buffer size, has a JVM and an empty index of its"
          + " own. Documents come from memory, again and again with new keys, as fast as they are"
          + " taken. A test on the rate finds where it becomes steady and where it stops being so; the"
          + " figure of the whole cell, with start and end, stands beside it.",
      ""
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = ArmOptions.OfIndex.class,
    footer = {
      "",
      "Sizes: 64MB, 1GB, 256MiB. Durations: 30s, 2m.",
      "",
      "Examples:",
      "  weir index",
      "  weir index --threads 1,2,4 --ram-buffer 64MB,256MB,1GB --docs enwiki.xml.bz2",
      "  weir index --arm 'stock: preset=stock' --arm 'weir: preset=weir' --rounds 5",
      "  weir index --arm 'g1: preset=stock, jvm-args=-XX:+UseG1GC' \\",
      "    --arm 'zgc: preset=stock, jvm-args=-XX:+UseZGC' --threads 2",
      "  weir index --arm 'fast: preset=stock' --arm 'small: preset=stock, codec=best-compression'",
      "  weir index --mode update --ram-buffer 64MB --duration 5m",
      "  weir index --place /data/scratch --dry-run",
      "",
      "Exit codes: 0 done, 1 a cell or Weir failed, 2 wrong usage, 4 the machine is too noisy (only",
      "with --strict), 130, 143 or 129 stopped by SIGINT (Ctrl-C), SIGTERM or SIGHUP (with a partial",
      "report)."
    })
final class IndexCommand extends RunCommand {

  private static final List<String> DEFAULT_ARMS = List.of("stock: preset=stock");

  @Mixin private DocumentOptions.Corpus corpus;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2,4",
      description = "Indexing threads; a cell for each. Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads;

  @Option(
      names = "--ram-buffer",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "64MB,256MB,1GB",
      description =
          "What the writer buffers before it flushes; a cell for each. Default: ${DEFAULT-VALUE}.")
  private List<String> ramBuffers;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "A variant to run in every cell: 'NAME: setting=value, ...'; repeatable. Default: 'stock:"
              + " preset=stock'.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "add|update",
      description =
          "Add documents with new keys, or replace those of the first pass at random. Default: add.")
  private String mode;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Run all cells this many times, each round in another order; with 5 or more, intervals are"
              + " those of rounds. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "How long a cell indexes. It goes on up to three times as long, until it has flushed"
              + " --flushes times. Default: ${DEFAULT-VALUE}.")
  private String duration;

  @Option(
      names = "--flushes",
      paramLabel = "N",
      defaultValue = "6",
      description = "Flushes that a cell needs before it ends in time. Default: ${DEFAULT-VALUE}.")
  private int flushes;

  @Option(
      names = "--source-memory",
      paramLabel = "SIZE",
      defaultValue = "128MB",
      description =
          "Keep this much text in memory to draw documents from. Default: ${DEFAULT-VALUE}.")
  private String sourceMemory;

  @Option(
      names = "--place",
      paramLabel = "DIR",
      description =
          "Write the indexes of cells below DIR; each is deleted after its cell. It needs room for all"
              + " that the fastest cell writes. Default: the run directory.")
  private Path place;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run directory, empty or new. Default: weir-runs/<time>.")
  private Path out;

  @Option(
      names = "--strict",
      description =
          "Refuse a noisy machine: exit with 4 before anything runs, or after the run if noise came"
              + " later.")
  private boolean strict;

  @Option(
      names = "--dry-run",
      description = "Check everything, print what the run would do, and exit.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print run.json instead of the tables.")
  private boolean json;

  @Override
  Asked<IndexingRun.Forecast> asked() {
    return new Asked<>(IndexingRun.of(plan()), Forecast::of, dryRun, json);
  }

  private IndexingPlan plan() {
    ArmOptions options = new ArmOptions.OfIndex();
    ArmSettings byDefault = options.ofTheRun(spec.commandLine().getParseResult());
    ArmSettings ofTheRun = mode == null ? byDefault : byDefault.withText(ArmSetting.MODE, mode);
    Path directory = outOrDefault(out);
    return new IndexingPlan(
        corpus.documents(),
        size("source-memory", sourceMemory),
        options.parse(arms.isEmpty() ? DEFAULT_ARMS : arms, ofTheRun, Arm::new),
        threads,
        ramBuffers.stream().map(text -> size("ram-buffer", text)).toList(),
        rounds,
        HumanDuration.parse("duration", duration),
        flushes,
        directory,
        Optional.ofNullable(place).orElse(directory.resolve("indexes")),
        strict);
  }

  private static long size(String option, String text) {
    BigDecimal bytes =
        HumanBytes.parse(text)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        option + " must be a size such as 64MB or 1GB: " + text));
    return bytes.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
  }
}
