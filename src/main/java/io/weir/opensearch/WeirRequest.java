package io.weir.opensearch;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.transport.TransportRequest;

/** A request about some indexes, to all nodes. */
final class WeirRequest extends BaseNodesRequest<WeirRequest> {

  private String[] indexes;

  /**
   * @param indexes names, aliases and patterns; none for all indexes
   */
  WeirRequest(String... indexes) {
    super(new String[0]); // all nodes
    this.indexes = indexes;
  }

  WeirRequest(StreamInput in) throws IOException {
    super(in);
    indexes = in.readStringArray();
  }

  String[] indexes() {
    return indexes;
  }

  /** Replaces patterns by the names that they stand for. */
  void resolved(String[] names) {
    indexes = names;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeStringArray(indexes);
  }

  /** The same, to one node. */
  static final class OfNode extends TransportRequest {

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
