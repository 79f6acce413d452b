package io.weir.elasticsearch;

import java.io.IOException;
import org.elasticsearch.action.support.nodes.BaseNodesRequest;
import org.elasticsearch.common.io.stream.StreamInput;
import org.elasticsearch.common.io.stream.StreamOutput;
import org.elasticsearch.transport.AbstractTransportRequest;

/** A request about some indexes, to all nodes. */
final class WeirRequest extends BaseNodesRequest {

  private String[] indexes;

  /**
   * @param indexes names, aliases and patterns; none for all indexes
   */
  WeirRequest(String... indexes) {
    super(new String[0]); // all nodes
    this.indexes = indexes;
  }

  String[] indexes() {
    return indexes;
  }

  /** Replaces patterns by the names that they stand for. */
  void resolved(String[] names) {
    indexes = names;
  }

  /** The same, to one node. */
  static final class OfNode extends AbstractTransportRequest {

    private final String[] indexes;

    OfNode(WeirRequest request) {
      this.indexes = request.indexes;
    }

    OfNode(StreamInput in) throws IOException {
      super(in);
      indexes = in.readStringArray();
    }

    /** Names of indexes; none for all. */
    String[] indexes() {
      return indexes;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeStringArray(indexes);
    }
  }
}
