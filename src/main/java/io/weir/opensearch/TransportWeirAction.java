package io.weir.opensearch;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Sends a request to all nodes, and answers it on each. Each action has a subclass, because the
 * engine creates one object for each action.
 *
 * <p><b>Failure:</b> an index that does not exist is refused by name.
 */
abstract class TransportWeirAction
    extends TransportNodesAction<
        WeirRequest, WeirResponse, WeirRequest.OfNode, WeirResponse.OfNode> {

  private final WeirAction action;
  private final WeirNode node;
  private final IndexNameExpressionResolver names;

  private TransportWeirAction(
      WeirAction action,
      ThreadPool threads,
      ClusterService cluster,
      TransportService transport,
      ActionFilters filters,
      IndexNameExpressionResolver names,
      WeirNode node) {
    super(
        action.type().name(),
        threads,
        cluster,
        transport,
        filters,
        WeirRequest::new,
        WeirRequest.OfNode::new,
        ThreadPool.Names.MANAGEMENT,
        WeirResponse.OfNode.class);
    this.action = action;
    this.names = names;
    this.node = node;
  }

  @Override
  protected void doExecute(Task task, WeirRequest request, ActionListener<WeirResponse> listener) {
    if (request.indexes().length > 0) {
      request.resolved(
          names.concreteIndexNames(
              clusterService.state(), IndicesOptions.strictExpandOpen(), request.indexes()));
      if (request.indexes().length == 0) { // a pattern that stands for none
        listener.onResponse(
            new WeirResponse(clusterService.getClusterName(), List.of(), List.of()));
        return;
      }
    }
    super.doExecute(task, request, listener);
  }

  @Override
  protected WeirResponse newResponse(
      WeirRequest request, List<WeirResponse.OfNode> nodes, List<FailedNodeException> failures) {
    return new WeirResponse(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected WeirRequest.OfNode newNodeRequest(WeirRequest request) {
    return new WeirRequest.OfNode(request);
  }

  @Override
  protected WeirResponse.OfNode newNodeResponse(StreamInput in) throws IOException {
    return new WeirResponse.OfNode(in);
  }

  @Override
  protected WeirResponse.OfNode nodeOperation(WeirRequest.OfNode request) {
    Set<String> wanted = Set.copyOf(Arrays.asList(request.indexes()));
    Map<String, Map<String, Object>> indexes = new TreeMap<>();
    for (WeirShard shard : node.shards()) {
      String index = shard.id().getIndexName();
      if (wanted.isEmpty() || wanted.contains(index)) {
        action
            .answerOf(shard)
            .ifPresent(
                answer ->
                    indexes
                        .computeIfAbsent(index, name -> new TreeMap<>())
                        .put(Integer.toString(shard.id().id()), answer));
      }
    }
    Map<String, Object> figures = action == WeirAction.STATS ? node.figures() : Figures.of();
    figures.put("indices", indexes);
    return new WeirResponse.OfNode(clusterService.localNode(), figures);
  }

  /** {@link WeirAction#STATS}. */
  public static final class Stats extends TransportWeirAction {

    @Inject
    public Stats(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(WeirAction.STATS, threads, cluster, transport, filters, names, node);
    }
  }

  /** {@link WeirAction#FORCED_MERGES}. */
  public static final class ForcedMerges extends TransportWeirAction {

    @Inject
    public ForcedMerges(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(WeirAction.FORCED_MERGES, threads, cluster, transport, filters, names, node);
    }
  }

  /** {@link WeirAction#CANCEL}. */
  public static final class Cancel extends TransportWeirAction {

    @Inject
    public Cancel(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        WeirNode node) {
      super(WeirAction.CANCEL, threads, cluster, transport, filters, names, node);
    }
  }
}
