package io.weir.cli;

import io.weir.rest.Login;
import io.weir.stress.experiment.StressRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.StressPlan;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = ArmOptions.OfStress.class,
    footer = {
      "",
      "Sizes: 1MiB, 512KiB. Rates: 10MB/s, 1.5GiB/s, 512KiB/s. Durations: 500ms, 10s, 2m.",
      "",
      "Figures of --slo, taken during the merge, the median of the rounds: reopen.p50, .p90, .p99, .max,",
      "  .mean; search.p50, .p90, .p99, .max; commit.p99, .max; merge.seconds; indexing.rate; gc.pause.max,",
      "  .total; visible.p50, .p90, .p99, .max. And of the whole arm: dirty.peak, vectors.recall. A bound",
      "  is 100ms, 90s, 16MB, 49/s, 0.9, or a ratio to another arm: 1.2x stock.",
      "",
      "Examples:",
      "  weir stress",
      "  weir stress --arm 'stock: preset=stock' --arm 'capped: cap=20MB/s' --rounds 5",
      "  weir stress --docs /usr/src/linux --index /data/linux-index",
      "  weir stress --docs enwiki.xml.bz2 --doc-count 1000000 --mode add",
      "  weir stress --mode soft-update --arm 'stock: preset=stock, compound=always' \\",
      "    --arm 'weir: compound=always'",
      "  weir stress --queries mixed --searches-per-second 100",
      "  weir stress --queries weir-runs/monday/queries.txt",
      "  weir stress --vectors 128 --queries knn --arm 'float:' --arm 'int8: vector-format=int8'",
      "  weir stress --index /data/index --rounds 5 --cache cold",
      "  weir stress --arm 'mapped: cache=warm' --arm 'in RAM: directory=heap, jvm-args=-Xmx4g'",
      "  weir stress --arm 'g1: jvm-args=-XX:+UseG1GC' --arm 'zgc: jvm-args=-XX:+UseZGC' --rounds 5",
      "  weir stress --index /data/index --rounds 5 --dry-run",
      "  weir stress --slo 'reopen.p99 < 100ms' --slo 'dirty.peak < 500MB'",
      "  weir stress --engine opensearch --engine-home /opt/opensearch \\",
      "    --engine-plugin weir-opensearch.zip --docs synthetic:400000",
      "  weir stress --engine opensearch:3.6.0 --engine-plugin weir-opensearch.zip",
      "  weir stress --engine opensearch:3.5.0 --arm 'stock: preset=stock' --vectors 128 \\",
      "    --queries hybrid",
      "  weir stress --engine solr --engine-home /opt/solr \\",
      "    --engine-plugin weir-solr.jar --docs synthetic:400000 --index /data/solr",
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
      return options.asked(StressRun.onEngine(plan), Forecast::of);
    }
    return options.asked(StressRun.onLucene(plan(DEFAULT_ARMS)), Forecast::of);
  }

  private StressPlan plan(List<String> defaultArms) {
    ArmOptions read = new ArmOptions.OfStress();
    List<Arm> planned =
        read.parse(
            arms.isEmpty() ? defaultArms : arms,
            read.ofTheRun(spec.commandLine().getParseResult()),
            (name, settings) -> engine.adapted(new Arm(name, settings)));
    return options.plan(documents, planned, rounds, slos.stream().map(SloOption::parse).toList());
  }

  /** An engine, and the version of it that {@code tools/engine} has fetched, if one is named. */
  record NamedEngine(Engine engine, Optional<String> version) {

    /** Where {@code tools/engine} puts it. */
    Path fetchedIn(Map<String, String> environment) {
      String cache =
          environment.getOrDefault(
              "XDG_CACHE_HOME", Path.of(environment.getOrDefault("HOME", ""), ".cache").toString());
      String engines =
          environment.getOrDefault("WEIR_ENGINES", Path.of(cache, "weir", "engines").toString());
      return Path.of(engines, engine.label() + "-" + version.orElseThrow());
    }

    /** Reads {@code opensearch} and {@code opensearch:3.6.0}. */
    static final class Converter implements ITypeConverter<NamedEngine> {

      @Override
      public NamedEngine convert(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        List<String> names = Arrays.stream(Engine.values()).map(Engine::label).toList();
        int place = names.indexOf(name.toLowerCase(Locale.ROOT));
        if (place < 0 || colon == text.length() - 1) {
          throw new TypeConversionException(
              "expected one of " + names + ", and a version after a colon, but was '" + text + "'");
        }
        return new NamedEngine(
            Engine.values()[place],
            colon < 0 ? Optional.empty() : Optional.of(text.substring(colon + 1)));
      }
    }
  }

  /** The search engine that a run uses, if any. */
  static final class EngineOptions {

    @Option(
        names = "--engine",
        paramLabel = "opensearch|elasticsearch|solr[:VERSION]",
        converter = NamedEngine.Converter.class,
        description =
            "Run the arms on servers of this engine: each arm starts one, on its own copy of one data"
                + " directory, which is kept in --index. Needs --engine-home, or the version of a"
                + " server that is in $WEIR_ENGINES. Reopens are then refreshes (soft commits),"
                + " updates come in bulks, usually of ten, and the merge is _forcemerge (an"
                + " optimise).")
    private NamedEngine engine;

    @Option(
        names = "--engine-home",
        paramLabel = "DIR",
        description =
            "An unpacked distribution of the engine. It is left as it is. Servers run without its"
                + " plug-ins; for --vectors OpenSearch must have opensearch-knn, which they keep.")
    private Path home;

    @Option(
        names = "--engine-plugin",
        paramLabel = "FILE",
        description = "Weir's plug-in for the engine, which arms with preset=weir install.")
    private Path plugin;

    @Option(
        names = "--target",
        paramLabel = "URL",
        description =
            "Measure a running OpenSearch or Elasticsearch cluster, such as http://localhost:9200,"
                + " with one arm. The run makes an index of its own there, and leaves it there. On a"
                + " running Solr, solr:URL/COLLECTION, the run only searches the collection, unless"
                + " options ask for more: --reopens-per-second, --commits-per-minute, --merge, and"
                + " --updates-per-second, which needs a collection that is empty or that a run has"
                + " filled. A name and a password: "
                + Login.USER_VARIABLE
                + " and "
                + Login.PASSWORD_VARIABLE
                + " in the environment, or http://NAME:PASSWORD@HOST. No file of the run holds them.")
    private URI target;

    @Option(
        names = "--target-index",
        paramLabel = "NAME",
        description =
            "The name of that index. Default: "
                + EngineSite.RunningCluster.DEFAULT_INDEX
                + ". Not for Solr.")
    private String targetIndex;

    @Option(
        names = "--shards",
        paramLabel = "N",
        defaultValue = "1",
        description = "Shards of the index in an engine. Default: ${DEFAULT-VALUE}.")
    private int shards;

    /** Whether the run is on an engine at all. */
    boolean any() {
      refuse(targetIndex != null && target == null, "--target-index needs --target");
      if (engine == null && target == null) {
        refuse(home != null, "--engine-home needs --engine");
        refuse(plugin != null, "--engine-plugin needs --engine");
        refuse(shards != 1, "--shards needs --engine or --target");
      }
      return engine != null || target != null;
    }

    /** The arms of a run that names none. */
    List<String> defaultArms() {
      return target != null ? List.of("target:") : List.of("stock: preset=stock", "weir:");
    }

    /** An arm as it runs where the options say. */
    Arm adapted(Arm arm) {
      return target == null ? arm : new Arm(arm.name(), cluster().api().inCluster(arm.settings()));
    }

    /** The same run, on the engine. */
    EnginePlan plan(StressPlan run) {
      return new EnginePlan(run, site(), shards);
    }

    private EngineSite site() {
      refuse(engine != null && target != null, "--engine and --target exclude each other");
      if (target != null) {
        refuse(home != null, "--engine-home needs --engine: the cluster of --target already runs");
        refuse(
            plugin != null,
            "--engine-plugin needs --engine: --target uses the plug-ins that are installed");
        return cluster();
      }
      return new EngineSite.OwnServers(
          engine.engine(),
          engineHome().toAbsolutePath().normalize(),
          Optional.ofNullable(plugin).map(zip -> zip.toAbsolutePath().normalize()));
    }

    private Path engineHome() {
      String name = engine.engine().label();
      if (engine.version().isEmpty()) {
        refuse(
            home == null,
            "--engine %s needs --engine-home, an unpacked distribution: tools/engine %s fetches one"
                .formatted(name, name));
        return home;
      }
      refuse(
          home != null,
          "--engine-home is of one version; leave it out, or name --engine without a version");
      Path fetched = engine.fetchedIn(System.getenv());
      refuse(
          !Files.isDirectory(fetched),
          "there is no %s; tools/engine %s:%s fetches it"
              .formatted(fetched, name, engine.version().orElseThrow()));
      return fetched;
    }

    private EngineSite.RunningCluster cluster() {
      return EngineSite.RunningCluster.at(
          target, Optional.ofNullable(targetIndex), System.getenv());
    }

    private static void refuse(boolean wrong, String message) {
      if (wrong) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
