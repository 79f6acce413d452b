package io.weir.corpus;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads documents one by one, from the first.
 *
 * <p><b>Threads:</b> one at a time.
 *
 * <p><b>Ownership:</b> the caller that opened it closes it. It holds an open file, I/O buffers and
 * one document, for a source of any size.
 *
 * <p><b>Failure:</b> malformed input is counted in the {@link ReadProblems} that it was opened
 * with, and reading continues after it. A broken source ends at the break; the documents before it
 * are kept. An {@link IOException} is thrown only if there was no good document up to the end, if
 * the reader was closed, or if the read was interrupted.
 */
public interface DocumentReader extends Closeable {

  /** The next document; null at the end and in all later calls. */
  CorpusDocument next() throws IOException;
}
