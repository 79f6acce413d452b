package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.stress.result.RunJson;
import java.util.Map;

/** The lines of one bulk request that indexes documents by id. <b>Threads:</b> one. */
final class RestBulk {

  private final StringBuilder lines = new StringBuilder();

  /** Indexes a document, or replaces the one with this id. */
  void add(String id, CorpusDocument text) {
    lines.append(RunJson.line(Map.of("index", Map.of("_id", id)))).append('\n');
    lines
        .append(
            RunJson.line(
                Map.of(
                    RestIndex.TITLE,
                    text.title(),
                    RestIndex.BODY,
                    text.body(),
                    RestIndex.DATE,
                    text.epochMillis())))
        .append('\n');
  }

  /** About how long it is. */
  int bytes() {
    return lines.length();
  }

  /** Returns the lines so far and clears them. */
  String take() {
    String taken = lines.toString();
    lines.setLength(0);
    return taken;
  }
}
