package io.weir.stress.setting;

/** What the kernel is told about how a mapped file will be read. */
public enum MappingAdvice {
  /** Nothing, as Lucene does by itself: the kernel reads ahead. */
  DEFAULT,
  /**
   * What Lucene's hint for the file says, as OpenSearch and Elasticsearch do: stored fields, term
   * vectors and vectors are read at random, so each page fault reads one page.
   */
  BY_CONTEXT
}
