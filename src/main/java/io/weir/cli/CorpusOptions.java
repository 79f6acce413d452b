package io.weir.cli;

import io.weir.stress.plan.Documents;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What a run indexes. */
final class CorpusOptions {

  @Option(
      names = "--docs",
      paramLabel = "SOURCE",
      defaultValue = "synthetic",
      description =
          "Documents: synthetic[:COUNT]; a luceneutil line file or a Wikipedia pages-articles XML, plain,"
              + " .gz, .bz2, .xz or .zst; or a directory of text files. Default: ${DEFAULT-VALUE}.")
  private String docs;

  @Option(
      names = "--doc-count",
      paramLabel = "N",
      description = "Take at most this many documents. Default: all.")
  private Long docCount;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of everything random: text, keys, updates, queries, times. Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** What to index. */
  Documents documents() {
    return new Documents(absolute(docs), seed, maxDocuments());
  }

  /** Of everything random. */
  long seed() {
    return seed;
  }

  private long maxDocuments() {
    if (docCount != null && docCount < 1) {
      throw new IllegalArgumentException("doc-count must be at least 1 document: " + docCount);
    }
    return docCount == null ? 0 : docCount;
  }

  /** A path as seen from everywhere, so that a kept index knows its documents again. */
  private static String absolute(String docs) {
    return docs.isEmpty() || docs.equals("synthetic") || docs.startsWith("synthetic:")
        ? docs
        : Path.of(docs).toAbsolutePath().normalize().toString();
  }
}
