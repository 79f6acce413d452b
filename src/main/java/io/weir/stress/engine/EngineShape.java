package io.weir.stress.engine;

/**
 * The parts of an index, without further copies of them.
 *
 * @param segments of all shards together
 */
record EngineShape(int shards, int segments) {

  /** Whether a forced merge would find nothing to do. */
  boolean isMerged() {
    return segments <= shards;
  }
}
