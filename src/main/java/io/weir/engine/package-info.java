/**
 * What the plug-ins of search engines share: it knows Lucene and Weir, and no type of an engine. It
 * is part of each plug-in, and of no other artifact.
 *
 * <p>{@link io.weir.engine.EngineNode} has what the shards of a node share, {@link
 * io.weir.engine.EngineShard} is Weir around the writer of one shard, and {@link
 * io.weir.engine.ShardAction} is what a user can request of them. A plug-in adds the engine's side:
 * its settings, its engine class, its messages between nodes.
 */
package io.weir.engine;
