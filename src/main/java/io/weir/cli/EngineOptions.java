package io.weir.cli;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.Login;
import io.weir.stress.plan.StressPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The search engine that a run uses, if any. */
final class EngineOptions {

  @Option(
      names = "--engine",
      paramLabel = "opensearch|elasticsearch|solr",
      description =
          "Run the arms on servers of this engine: each arm starts one, on its own copy of one data"
              + " directory, which is kept in --index. Needs --engine-home. Reopens are then"
              + " refreshes (soft commits), updates come in bulks, usually of ten, and the merge is"
              + " _forcemerge (an optimise).")
  private Engine engine;

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description =
          "An unpacked distribution of the engine. It is left as it is. tools/engine NAME fetches"
              + " one and prints where it is.")
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
    refuse(
        home == null,
        "--engine %s needs --engine-home, an unpacked distribution: tools/engine %s fetches one"
            .formatted(engine.label(), engine.label()));
    return new EngineSite.OwnServers(
        engine,
        home.toAbsolutePath().normalize(),
        Optional.ofNullable(plugin).map(zip -> zip.toAbsolutePath().normalize()));
  }

  private EngineSite.RunningCluster cluster() {
    return EngineSite.RunningCluster.at(target, Optional.ofNullable(targetIndex), System.getenv());
  }

  private static void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new IllegalArgumentException(message);
    }
  }
}
