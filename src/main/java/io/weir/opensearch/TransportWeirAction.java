package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.engine.ShardAction;
import java.io.IOException;
import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Sends a request to all nodes, and answers it on each. Each action has a subclass, because the
 * engine creates one object for each action.
 *
 * <p><b>Failure:</b> an index that does not exist is refused by name.
 */
abstract class TransportWeirAction
    extends TransportNodesAction<
        WeirRequest, WeirResponse, WeirRequest.OfNode, WeirResponse.OfNode> {

  private final ShardAction action;
  private final EngineNode node;
  private final IndexNameExpressionResolver names;

  private TransportWeirAction(
      ShardAction action,
      ThreadPool threads,
      ClusterService cluster,
      TransportService transport,
      ActionFilters filters,
      IndexNameExpressionResolver names,
      EngineNode node) {
    super(
        action.privilege(),
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
    return new WeirResponse.OfNode(
        clusterService.localNode(), node.answer(action, request.indexes()));
  }

  /** {@link ShardAction#STATS}. */
  public static final class Stats extends TransportWeirAction {

    /** OpenSearch names its plug-ins only to what it injects, which it makes before it starts. */
    @Inject
    public Stats(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        EngineNode node,
        OtherEngines others,
        PluginsService plugins) {
      super(ShardAction.STATS, threads, cluster, transport, filters, names, node);
      others.set(plugins.filterPlugins(EnginePlugin.class));
    }
  }

  /** {@link ShardAction#FORCED_MERGES}. */
  public static final class ForcedMerges extends TransportWeirAction {

    @Inject
    public ForcedMerges(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        EngineNode node) {
      super(ShardAction.FORCED_MERGES, threads, cluster, transport, filters, names, node);
    }
  }

  /** {@link ShardAction#CANCEL}. */
  public static final class Cancel extends TransportWeirAction {

    @Inject
    public Cancel(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        EngineNode node) {
      super(ShardAction.CANCEL, threads, cluster, transport, filters, names, node);
    }
  }

  /** Reads a request from REST. The engine refuses parameters that nothing reads, by name. */
  static final class Rest extends BaseRestHandler {

    private final ShardAction action;

    Rest(ShardAction action) {
      this.action = action;
    }

    @Override
    public String getName() {
      return action.handlerName();
    }

    @Override
    public List<Route> routes() {
      Method method = Method.valueOf(action.method());
      return action.paths().stream().map(path -> new Route(method, path)).toList();
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest rest, NodeClient client) {
      WeirRequest request = new WeirRequest(Strings.splitStringByCommaToArray(rest.param("index")));
      request.timeout(rest.param("timeout"));
      return channel ->
          client.execute(
              WeirResponse.type(action), request, new NodesResponseRestListener<>(channel));
    }
  }
}
