package io.weir.cli;

import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a run indexes, and where the index is kept. */
final class DocumentOptions {

  @Mixin private Corpus corpus;

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

  /** What a run indexes. */
  static final class Corpus {

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

    @Option(
        names = "--vectors",
        paramLabel = "DIMS[:COUNT|:SHARE%]|FILE",
        description =
            "Give documents a vector of so many dimensions, up to 1024, made from their words: all"
                + " of them, the first COUNT, or SHARE%% evenly. Or give the n-th document the n-th"
                + " vector of a file, fvecs or npy. Default: none.")
    private String vectors;

    /** What to index. */
    Documents documents() {
      Documents texts = new Documents(absolute(docs), seed, maxDocuments());
      return vectors == null
          ? texts
          : texts.withVectors(DocumentVectors.Spec.parse(vectors).toString());
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

  /** What a run searches for; the same in all arms. */
  static final class Queries {

    @Option(
        names = "--queries",
        paramLabel = "terms|mixed|knn|hybrid|heaviest:N|FILE",
        defaultValue = "terms",
        description = {
          "Queries: terms of the index, each as often as it is common; mixed, half of them with AND, OR"
              + " and NOT; knn, the 10 nearest neighbours of 5 words; hybrid, those and the words;"
              + " heaviest:N, the N terms in the most documents; or those of a file, in order and over"
              + " again, such as the queries.txt of an earlier run. Default: ${DEFAULT-VALUE}.",
          "A file has one query a line: a, 'a AND b', 'a OR b', 'a AND NOT b'. After knn: it is for vectors"
              + " near that of the terms, after hybrid: for both, and scores are added. Terms are as in"
              + " the index (not analysed, so in lower case). Put a backslash before special characters"
              + " of Lucene's classic syntax, and write invisible ones as \\uXXXX; # begins a comment."
        })
    private String queries;

    QuerySource source() {
      return QuerySource.parse(queries);
    }
  }
}
