package io.weir.opensearch;

import io.weir.engine.ShardAction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** The answers of all nodes to a request. A node without the plug-in is among the failures. */
final class WeirResponse extends BaseNodesResponse<WeirResponse.OfNode>
    implements ToXContentFragment {

  WeirResponse(ClusterName cluster, List<OfNode> nodes, List<FailedNodeException> failures) {
    super(cluster, nodes, failures);
  }

  /** The type of an action, which has the action's name as its identity. */
  static ActionType<WeirResponse> type(ShardAction action) {
    return new ActionType<>(action.privilege(), WeirResponse::new);
  }

  WeirResponse(StreamInput in) throws IOException {
    super(in);
  }

  @Override
  protected List<OfNode> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(OfNode::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<OfNode> nodes) throws IOException {
    out.writeList(nodes);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject("nodes");
    for (OfNode node : getNodes()) {
      builder.startObject(node.getNode().getId());
      builder.field("name", node.getNode().getName());
      for (Map.Entry<String, Object> figure : node.figures.entrySet()) {
        builder.field(figure.getKey(), figure.getValue());
      }
      builder.endObject();
    }
    return builder.endObject();
  }

  /** The answer of one node: figures of its own, and of its shards by index and number. */
  static final class OfNode extends BaseNodeResponse {

    private final Map<String, Object> figures;

    OfNode(DiscoveryNode node, Map<String, Object> figures) {
      super(node);
      this.figures = figures;
    }

    OfNode(StreamInput in) throws IOException {
      super(in);
      figures = in.readMap();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeMap(figures);
    }
  }
}
