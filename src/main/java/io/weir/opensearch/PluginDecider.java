package io.weir.opensearch;

import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.Decision;

/**
 * Keeps the shards of an index with Weir on the nodes that have the plug-in. Another node cannot
 * open them: without this, each attempt fails, and after five failures OpenSearch gives up on the
 * shard for all nodes.
 *
 * <p>Nodes with the plug-in have a node attribute. The elected cluster manager decides, so this
 * works only while that node has the plug-in.
 *
 * <p><b>Threads:</b> any.
 */
final class PluginDecider extends AllocationDecider {

  /** The attribute of the nodes that have the plug-in. */
  static final String ATTRIBUTE = "weir";

  private static final String NAME = "weir";

  @Override
  public Decision canAllocate(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    return decide(index(shard, allocation), node.node(), allocation);
  }

  @Override
  public Decision canAllocate(IndexMetadata index, RoutingNode node, RoutingAllocation allocation) {
    return decide(index, node.node(), allocation);
  }

  @Override
  public Decision canRemain(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    return decide(index(shard, allocation), node.node(), allocation);
  }

  @Override
  public Decision shouldAutoExpandToNode(
      IndexMetadata index, DiscoveryNode node, RoutingAllocation allocation) {
    return decide(index, node, allocation);
  }

  /** A primary whose only copy is on a node without the plug-in waits for the plug-in. */
  @Override
  public Decision canForceAllocatePrimary(
      ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    return canAllocate(shard, node, allocation);
  }

  private static IndexMetadata index(ShardRouting shard, RoutingAllocation allocation) {
    return allocation.metadata().getIndexSafe(shard.index());
  }

  private static Decision decide(
      IndexMetadata index, DiscoveryNode node, RoutingAllocation allocation) {
    if (node.getAttributes().containsKey(ATTRIBUTE)) {
      return allocation.decision(Decision.YES, NAME, "the node has the plug-in weir");
    }
    return WeirSettings.isOn(index.getSettings())
        ? allocation.decision(
            Decision.NO,
            NAME,
            "the index has index.store.type: weir, but the node does not have the plug-in weir")
        : allocation.decision(Decision.YES, NAME, "the index does not need the plug-in weir");
  }
}
