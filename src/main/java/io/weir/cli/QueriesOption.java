package io.weir.cli;

import io.weir.stress.plan.QuerySource;
import picocli.CommandLine.Option;

/** What a run searches for; the same in all arms. */
final class QueriesOption {

  @Option(
      names = "--queries",
      paramLabel = "terms|mixed|FILE",
      defaultValue = "terms",
      description = {
        "What is searched for: terms of the index, each as often as it is common; mixed, half of them"
            + " with AND, OR and NOT; or the queries of a file in their order and over again, such as"
            + " the queries.txt of an earlier run. Default: ${DEFAULT-VALUE}.",
        "In a file one query a line: a, 'a AND b', 'a OR b', 'a AND NOT b'; terms as the index has"
            + " them (not analysed, so lower case); a backslash before what means something in"
            + " Lucene's classic syntax, \\uXXXX for what cannot be seen; # begins a comment."
      })
  private String queries;

  QuerySource source() {
    return QuerySource.parse(queries);
  }
}
