package io.weir.elasticsearch;

import io.weir.engine.ShardAction;
import java.util.List;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.Strings;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestRequest.Method;
import org.elasticsearch.rest.action.RestActions.NodesResponseRestListener;

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
    request.setTimeout(rest.paramAsTime("timeout", null));
    return channel ->
        client.execute(
            WeirResponse.type(action), request, new NodesResponseRestListener<>(channel));
  }
}
