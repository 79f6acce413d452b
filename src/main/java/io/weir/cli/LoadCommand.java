package io.weir.cli;

import io.weir.load.experiment.LoadRun;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.Loads;
import io.weir.load.plan.StepRule;
import io.weir.load.plan.TargetUrl;
import io.weir.option.HumanDuration;
import io.weir.rest.Login;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir load}: how much load an index bears. */
@Command(
    name = "load",
    description = {
      "Raises the load on a search service until it saturates, and says where.",
      "",
      "Each arm has a search service in a JVM of its own, on a copy of the index, and a client in"
          + " another. The client sends by a random schedule whatever the server does, and keeps"
          + " the response time of each request from its intended start. Updates, reopens and, with"
          + " --merge forced, merges of the whole index run in the server meanwhile.",
      ""
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = ArmOptions.OfLoad.class,
    footer = {
      "",
      "An arm is 'NAME: setting=value, ...' as in weir stress; weir stress --help=all lists"
          + " the settings.",
      "Those of most use here: directory, jvm, jvm-args, preset, cache, merge, updates-per-second.",
      "",
      "Examples:",
      "  weir load",
      "  weir load --queries heaviest:500 --limit 200ms --rounds 3",
      "  weir load --arm 'mapped: jvm-args=-Xmx1g' --arm 'in RAM: directory=heap, jvm-args=-Xmx4g'",
      "  weir load --arm 'g1: jvm-args=-XX:+UseG1GC' --arm 'zgc: jvm-args=-XX:+UseZGC' --rounds 5",
      "  weir load --load 50,100,200,400 --merge forced --arm 'stock: preset=stock' --arm 'weir:'",
      "  weir load --vectors 128 --queries knn --arm 'float:' --arm 'int8: vector-format=int8'",
      "  weir load --target http://localhost:9200/articles/_search --queries queries.txt",
      "  weir load --target 'http://localhost:8983/solr/articles/select?q={q}&rows=10'",
      "  weir load --target http://localhost:9200/weir-stress/_search --vectors 128 --queries knn",
      "",
      "Exit codes: 0 done, 1 an arm or Weir failed, 2 wrong usage, 4 the machine is too noisy"
          + " (only",
      "with --strict), 130, 143 or 129 stopped by SIGINT (Ctrl-C), SIGTERM or SIGHUP (with a partial",
      "report)."
    })
final class LoadCommand extends RunCommand {

  /** A service of the user's own is one arm, which no setting of ours changes. */
  private static final List<String> TARGET_ARM = List.of("target:");

  private static final List<String> DEFAULT_ARMS =
      List.of("stock: preset=stock", "weir: preset=weir");

  @Mixin private DocumentOptions documents;

  @Mixin private DocumentOptions.Queries queries;

  @Option(
      names = "--load",
      paramLabel = "auto[:FIRST]|LIST",
      defaultValue = "auto",
      description =
          "Requests per second: a list such as 50,100,200, which ends at the first load that is too"
              + " much; or auto, which doubles the load while the server bears it and then narrows"
              + " to within 10 %%. A load that fails is tried once more. auto begins at FIRST, or"
              + " at an eighth of what the warm-up came to. Default: ${DEFAULT-VALUE}.")
  private String load;

  @Option(
      names = "--limit",
      paramLabel = "TIME",
      defaultValue = "1s",
      description =
          "The highest acceptable 99th percentile of response times, up to 30 s. A load is too much"
              + " as well when the server falls behind the schedule or requests fail. Default: ${DEFAULT-VALUE}.")
  private String limit;

  @Option(
      names = "--step",
      paramLabel = "TIME",
      defaultValue = "10s",
      description =
          "How long each load lasts. A step must have 10 requests or more. Default:"
              + " ${DEFAULT-VALUE}.")
  private String step;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "20s",
      description =
          "How long to send four requests at a time, which count in no figure, while the JVM"
              + " compiles. Default:"
              + " ${DEFAULT-VALUE}.")
  private String warmUp;

  @Option(
      names = "--server-threads",
      paramLabel = "N",
      description =
          "Answer requests on this many threads. Default: a virtual thread for each request.")
  private Integer serverThreads;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description =
          "Measure a service that runs, and only read from it: the query address of OpenSearch or"
              + " Elasticsearch (.../_search), of Solr (.../select), one with {q} where the query"
              + " goes, or one that answers /search?q=. Queries are words of --docs, or the lines of"
              + " a file as they are written; with --vectors in the form of --queries, for an index"
              + " that weir stress --target has filled from the same documents. A name and a password: "
              + Login.USER_VARIABLE
              + " and "
              + Login.PASSWORD_VARIABLE
              + " in the environment, or http://NAME:PASSWORD@HOST.")
  private String target;

  @Option(
      names = "--arm",
      paramLabel = "ARM",
      description =
          "A variant to run: 'NAME: setting=value, ...'; repeatable. Default: 'stock: preset=stock'"
              + " and 'weir: preset=weir'.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Search for the saturation of all arms this many times, each round in another order; with"
              + " 5 or more, it has a confidence interval. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run directory, empty or new. Default: weir-runs/<time>.")
  private Path out;

  @Option(
      names = "--strict",
      description = "Refuse a noisy machine: exit with 4 before anything runs.")
  private boolean strict;

  @Option(
      names = "--dry-run",
      description = "Check everything, print what the run would do, and exit.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print run.json instead of the tables.")
  private boolean json;

  @Override
  Asked<?> asked() {
    LoadPlan plan = plan();
    Optional<Login> login =
        target == null
            ? Optional.empty()
            : TargetUrl.login(target).or(() -> Login.ofEnvironment(System.getenv()));
    return new Asked<>(
        LoadRun.of(plan, login), indexes -> Forecast.of(plan, indexes), dryRun, json);
  }

  private LoadPlan plan() {
    ArmOptions options = new ArmOptions.OfLoad();
    List<String> byDefault = target == null ? DEFAULT_ARMS : TARGET_ARM;
    StressPlan run =
        new StressPlan(
            documents.documents(),
            queries.source(),
            documents.index(),
            outOrDefault(out),
            options.parse(
                arms.isEmpty() ? byDefault : arms,
                options.ofTheRun(spec.commandLine().getParseResult()),
                Arm::new),
            rounds,
            Duration.ofMillis(50),
            false,
            strict,
            new Telemetry(Optional.empty(), Optional.empty(), false),
            List.of());
    return new LoadPlan(
        run,
        Loads.parse(load),
        HumanDuration.parse("step", step),
        HumanDuration.parse("warmup", warmUp),
        new StepRule(HumanDuration.parse("limit", limit)),
        serverThreads == null ? OptionalInt.empty() : OptionalInt.of(serverThreads),
        Optional.ofNullable(target).map(TargetUrl::parse));
  }
}
