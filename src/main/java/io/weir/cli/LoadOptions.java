package io.weir.cli;

import picocli.CommandLine.Option;

/** The load of a run and its phases: what every arm has unless it overrides it. */
final class LoadOptions {

  @Option(
      names = "--mode",
      paramLabel = "update|soft-update|add",
      description = {
        "Replace documents by their id, replace them as OpenSearch and Elasticsearch do, or add new"
            + " ones. With soft-update the old document is marked by a doc-values update (a soft"
            + " delete), and merges keep it while it is among the last 1000 operations. Default:"
            + " update."
      })
  private String mode;

  @Option(
      names = "--updates-per-second",
      paramLabel = "N",
      description = "Steady rate of updates or adds. Default: 50.")
  private String updatesPerSecond;

  @Option(
      names = "--reopens-per-second",
      paramLabel = "N",
      description = "Fixed schedule of reopens. Default: 4.")
  private String reopensPerSecond;

  @Option(
      names = "--searches-per-second",
      paramLabel = "N",
      description = "Mean rate of searches, at random times. Default: 20.")
  private String searchesPerSecond;

  @Option(
      names = "--commits-per-minute",
      paramLabel = "N",
      description = "Steady rate of commits. Default: 0, none.")
  private String commitsPerMinute;

  @Option(
      names = "--merge",
      paramLabel = "forced|natural|none",
      description = "The large merge in the middle. Default: forced.")
  private String merge;

  @Option(
      names = "--cache",
      paramLabel = "cold|warm|as-is",
      description = {
        "In which state the index is in the page cache when an arm opens it: cold, its files are"
            + " synced and their pages dropped (Linux, Java 22 or later, no root needed); warm, each"
            + " file is read once; as-is, as the arm before has left it. The share that was there is"
            + " measured and told in each case. Default: as-is."
      })
  private String cache;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      description =
          "Load that is left out of every figure, while the JVM compiles; goes on for up to three"
              + " times that, until reopens are steady. Default: 5s.")
  private String warmup;

  @Option(
      names = "--before",
      paramLabel = "TIME",
      description = "Load before the merge. Default: 10s.")
  private String before;

  @Option(
      names = "--during",
      paramLabel = "TIME",
      description = "Length of the middle when --merge none. Default: 20s.")
  private String during;

  @Option(
      names = "--after",
      paramLabel = "TIME",
      description = "Load after the merge. Default: 10s.")
  private String after;

  /** For an arm to begin with. */
  ArmOptions options() {
    return new ArmOptions()
        .with("mode", mode)
        .with("updates-per-second", updatesPerSecond)
        .with("reopens-per-second", reopensPerSecond)
        .with("searches-per-second", searchesPerSecond)
        .with("commits-per-minute", commitsPerMinute)
        .with("merge", merge)
        .with("cache", cache)
        .with("warmup", warmup)
        .with("before", before)
        .with("during", during)
        .with("after", after);
  }
}
