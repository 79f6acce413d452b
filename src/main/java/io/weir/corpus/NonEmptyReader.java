package io.weir.corpus;

import java.io.IOException;

/** A reader that fails at the end if there was no document. */
final class NonEmptyReader implements DocumentReader {

  private final DocumentReader reader;
  private final String name;
  private final ReadProblems problems;
  private boolean gaveOne;

  NonEmptyReader(DocumentReader reader, String name, ReadProblems problems) {
    this.reader = reader;
    this.name = name;
    this.problems = problems;
  }

  @Override
  public CorpusDocument next() throws IOException {
    CorpusDocument document = reader.next();
    if (document == null && !gaveOne) {
      throw new NoDocumentsException(
          "documents must have at least one that can be read: "
              + name
              + ": "
              + String.join("; ", problems.first())
              + (problems.first().isEmpty() ? "" : "; in all ")
              + problems.malformedCount()
              + " malformed, "
              + problems.skippedCount()
              + " skipped");
    }
    gaveOne = true;
    return document;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
