package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.Map;

/** The lines of one {@code _bulk} request that indexes documents by id. <b>Threads:</b> one. */
final class RestBulk implements EngineBulk {

  private final RestIndex index;
  private final StringBuilder lines = new StringBuilder();

  RestBulk(RestIndex index) {
    this.index = index;
  }

  @Override
  public void add(String id, CorpusDocument text) {
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

  @Override
  public int bytes() {
    return lines.length();
  }

  @Override
  public void send() throws IOException, InterruptedException {
    String taken = lines.toString();
    lines.setLength(0);
    index.send(taken);
  }
}
