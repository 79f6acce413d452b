package io.weir.opensearch;

import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** Reads a request from REST. The engine refuses parameters that nothing reads, by name. */
final class RestWeirAction extends BaseRestHandler {

  private final WeirAction action;

  RestWeirAction(WeirAction action) {
    this.action = action;
  }

  @Override
  public String getName() {
    return action.handlerName();
  }

  @Override
  public List<Route> routes() {
    return action.routes();
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest rest, NodeClient client) {
    WeirRequest request = new WeirRequest(Strings.splitStringByCommaToArray(rest.param("index")));
    request.timeout(rest.param("timeout"));
    return channel ->
        client.execute(action.type(), request, new NodesResponseRestListener<>(channel));
  }
}
