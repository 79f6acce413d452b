package io.weir.stress.plan;

/**
 * Which documents the index is built from.
 *
 * @param source as {@link io.weir.corpus.DocumentSources#parse} takes it
 * @param seed of everything random in a run: synthetic text, keys, which document is updated, what
 *     is searched for and when
 * @param maxDocuments how many to take at most; 0 for all of them
 */
public record Documents(String source, long seed, long maxDocuments) {

  /** Refuses a negative count. */
  public Documents {
    if (maxDocuments < 0) {
      throw new IllegalArgumentException("doc-count must be at least 1 document: " + maxDocuments);
    }
  }
}
