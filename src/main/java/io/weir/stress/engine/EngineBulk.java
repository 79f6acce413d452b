package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import java.io.IOException;

/** Documents that go to an engine in one request. <b>Threads:</b> one. */
interface EngineBulk {

  /** Indexes a document, or replaces the one with this id, when this is sent. */
  void add(String id, CorpusDocument text);

  /** About how long the request would be now. */
  int bytes();

  /**
   * Sends the documents, and is empty again; each of them must succeed.
   *
   * @throws EngineException with the first failure
   */
  void send() throws IOException, InterruptedException;
}
