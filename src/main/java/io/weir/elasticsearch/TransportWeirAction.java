package io.weir.elasticsearch;

import io.weir.engine.EngineNode;
import io.weir.engine.ShardAction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.elasticsearch.action.ActionListener;
import org.elasticsearch.action.FailedNodeException;
import org.elasticsearch.action.support.ActionFilters;
import org.elasticsearch.action.support.IndicesOptions;
import org.elasticsearch.action.support.nodes.TransportNodesAction;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNode;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.Strings;
import org.elasticsearch.common.io.stream.StreamInput;
import org.elasticsearch.index.IndexService;
import org.elasticsearch.indices.IndicesService;
import org.elasticsearch.injection.guice.Inject;
import org.elasticsearch.plugins.EnginePlugin;
import org.elasticsearch.plugins.PluginsService;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestRequest.Method;
import org.elasticsearch.rest.action.RestActions.NodesResponseRestListener;
import org.elasticsearch.tasks.Task;
import org.elasticsearch.threadpool.ThreadPool;
import org.elasticsearch.transport.TransportService;

/**
 * Sends a request to all nodes, and answers it on each. Each action has a subclass, because the
 * engine creates one object for each action.
 *
 * <p><b>Failure:</b> an index that does not exist is refused by name.
 */
abstract class TransportWeirAction
    extends TransportNodesAction<
        WeirRequest, WeirResponse, WeirRequest.OfNode, WeirResponse.OfNode, Void> {

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
        cluster,
        transport,
        filters,
        WeirRequest.OfNode::new,
        threads.executor(ThreadPool.Names.MANAGEMENT));
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
  protected WeirResponse.OfNode newNodeResponse(StreamInput in, DiscoveryNode from)
      throws IOException {
    return new WeirResponse.OfNode(in);
  }

  @Override
  protected WeirResponse.OfNode nodeOperation(WeirRequest.OfNode request, Task task) {
    return new WeirResponse.OfNode(clusterService.localNode(), figures(request.indexes()));
  }

  /** Of this node, and of these indexes; none for all. */
  Map<String, Object> figures(String... indexes) {
    return node.answer(action, indexes);
  }

  /** {@link ShardAction#STATS}, and the open indexes that are left out. */
  public static final class Stats extends TransportWeirAction {

    private final IndexChoice choice;
    private final IndicesService indices;

    /** Elasticsearch names its plug-ins to what it injects, which it makes before it starts. */
    @Inject
    public Stats(
        ThreadPool threads,
        ClusterService cluster,
        TransportService transport,
        ActionFilters filters,
        IndexNameExpressionResolver names,
        EngineNode node,
        IndexChoice choice,
        IndicesService indices,
        PluginsService plugins) {
      super(ShardAction.STATS, threads, cluster, transport, filters, names, node);
      this.choice = choice;
      this.indices = indices;
      choice.setPlugins(plugins.filterPlugins(EnginePlugin.class));
    }

    @Override
    Map<String, Object> figures(String... indexes) {
      Set<String> wanted = Set.of(indexes);
      Map<String, String> leftOut = new TreeMap<>();
      for (IndexService index : indices) {
        String name = index.index().getName();
        if (wanted.isEmpty() || wanted.contains(name)) {
          choice
              .whyLeftOut(index.getIndexSettings())
              .ifPresent(reason -> leftOut.put(name, "Weir does not support " + reason));
        }
      }
      Map<String, Object> figures = super.figures(indexes);
      if (!leftOut.isEmpty()) {
        figures.put("left_out", leftOut);
      }
      return figures;
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
      request.setTimeout(rest.paramAsTime("timeout", null));
      return channel ->
          client.execute(
              WeirResponse.type(action), request, new NodesResponseRestListener<>(channel));
    }
  }
}
