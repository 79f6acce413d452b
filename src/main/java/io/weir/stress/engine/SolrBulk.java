package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.Map;

/** The documents of one request to {@code /update}. <b>Threads:</b> one. */
final class SolrBulk implements EngineBulk {

  private final SolrIndex index;
  private final StringBuilder documents = new StringBuilder();

  SolrBulk(SolrIndex index) {
    this.index = index;
  }

  @Override
  public void add(String id, CorpusDocument text) {
    documents
        .append(documents.isEmpty() ? '[' : ',')
        .append(
            RunJson.line(
                Map.of(
                    index.key(),
                    id,
                    SolrIndex.TITLE,
                    text.title(),
                    SolrIndex.BODY,
                    text.body(),
                    SolrIndex.DATE,
                    text.epochMillis())));
  }

  @Override
  public int bytes() {
    return documents.length();
  }

  @Override
  public void send() throws IOException, InterruptedException {
    String taken = documents.append(']').toString();
    documents.setLength(0);
    index.update(taken);
  }
}
