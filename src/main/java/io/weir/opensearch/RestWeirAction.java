package io.weir.opensearch;

import io.weir.engine.ShardAction;
import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** Reads a request from REST. The engine refuses parameters that nothing reads, by name. */
final class RestWeirAction extends BaseRestHandler {

  private final ShardAction action;

  RestWeirAction(ShardAction action) {
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
