package io.weir.elasticsearch;

import io.weir.engine.ShardAction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.elasticsearch.action.ActionType;
import org.elasticsearch.action.FailedNodeException;
import org.elasticsearch.action.support.TransportAction;
import org.elasticsearch.action.support.nodes.BaseNodeResponse;
import org.elasticsearch.action.support.nodes.BaseNodesResponse;
import org.elasticsearch.cluster.ClusterName;
import org.elasticsearch.cluster.node.DiscoveryNode;
import org.elasticsearch.common.io.stream.StreamInput;
import org.elasticsearch.common.io.stream.StreamOutput;
import org.elasticsearch.xcontent.ToXContentFragment;
import org.elasticsearch.xcontent.XContentBuilder;

/** The answers of all nodes to a request. A node without the plug-in is among the failures. */
final class WeirResponse extends BaseNodesResponse<WeirResponse.OfNode>
    implements ToXContentFragment {

  WeirResponse(ClusterName cluster, List<OfNode> nodes, List<FailedNodeException> failures) {
    super(cluster, nodes, failures);
  }

  /** The type of an action, which has the action's name as its identity. */
  static ActionType<WeirResponse> type(ShardAction action) {
    return new ActionType<>(action.privilege());
  }

  @Override
  protected List<OfNode> readNodesFrom(StreamInput in) {
    return TransportAction.localOnly();
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<OfNode> nodes) {
    TransportAction.localOnly();
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
      figures = in.readGenericMap();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeGenericMap(figures);
    }
  }
}
