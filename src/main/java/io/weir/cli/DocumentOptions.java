package io.weir.cli;

import io.weir.stress.plan.Documents;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a run indexes, and where the index is kept. */
final class DocumentOptions {

  @Mixin private CorpusOptions corpus;

  @Option(
      names = "--index",
      paramLabel = "DIR",
      description =
          "Keep the index in DIR and use it again. Arms with other layouts have theirs beside it, such as"
              + " DIR-resident and DIR-compound. Default: build an index for this run and delete it.")
  private Path index;

  /** What to index. */
  Documents documents() {
    return corpus.documents();
  }

  /** Of everything random. */
  long seed() {
    return corpus.seed();
  }

  /** Where the index is kept; empty to build for this run only. */
  Optional<Path> index() {
    return Optional.ofNullable(index).map(path -> path.toAbsolutePath().normalize());
  }
}
