package io.weir.elasticsearch;

import java.io.IOException;
import org.elasticsearch.action.support.nodes.BaseNodesRequest;
import org.elasticsearch.common.io.stream.StreamInput;
import org.elasticsearch.common.io.stream.StreamOutput;
import org.elasticsearch.transport.AbstractTransportRequest;

/** A question about some indexes, to all nodes. */
final class Asked extends BaseNodesRequest {

  private String[] indexes;

  /**
   * @param indexes names, aliases and patterns; none for all indexes
   */
  Asked(String... indexes) {
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

    OfNode(Asked asked) {
      this.indexes = asked.indexes;
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
