package io.weir.cli;

import io.weir.stress.plan.QuerySource;
import picocli.CommandLine.Option;

/** What a run searches for; the same in all arms. */
final class QueriesOption {

  @Option(
      names = "--queries",
      paramLabel = "terms|mixed|heaviest:N|FILE",
      defaultValue = "terms",
      description = {
        "Queries: terms of the index, each as often as it is common; mixed, half of them with AND, OR"
            + " and NOT; heaviest:N, the N terms that occur in the most documents; or those of a file, in order and over again, such as the queries.txt of an"
            + " earlier run. Default: ${DEFAULT-VALUE}.",
        "A file has one query a line: a, 'a AND b', 'a OR b', 'a AND NOT b'. Terms are as in the index"
            + " (not analysed, so in lower case). Put a backslash before special characters of Lucene's"
            + " classic syntax, and write invisible ones as \\uXXXX; # begins a comment."
      })
  private String queries;

  QuerySource source() {
    return QuerySource.parse(queries);
  }
}
