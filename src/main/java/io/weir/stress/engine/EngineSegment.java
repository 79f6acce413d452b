package io.weir.stress.engine;

/**
 * A segment in one copy of a shard.
 *
 * @param shard its number
 * @param node that holds the copy
 * @param primary whether that copy is the primary one
 * @param merging whether a merge reads it now
 */
record EngineSegment(String shard, String node, boolean primary, String name, boolean merging) {

  /** The same segment while a merge reads it. */
  EngineSegment asMerging() {
    return new EngineSegment(shard, node, primary, name, true);
  }
}
