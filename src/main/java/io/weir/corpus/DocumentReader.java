package io.weir.corpus;

import java.io.Closeable;
import java.io.IOException;

/**
 * Documents one after the other, from the first.
 *
 * <p><b>Threads:</b> one at a time.
 *
 * <p><b>Ownership:</b> whoever opened it closes it. It holds an open file, I/O buffers and one
 * document, however large its source is.
 *
 * <p><b>Failure:</b> input that is no document is counted in the {@link ReadProblems} it was opened
 * with, and reading goes on behind it; a source that breaks ends there, with what came before the
 * break kept. An {@link IOException} is thrown only when the end is reached and nothing at all was
 * good, when the reader was closed, or when the read was interrupted.
 */
public interface DocumentReader extends Closeable {

  /** The next document, or null at the end, then and ever after. */
  CorpusDocument next() throws IOException;
}
