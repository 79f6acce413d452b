package io.weir.elasticsearch;

import java.util.List;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.Strings;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.action.RestActions.NodesResponseRestListener;

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
    request.setTimeout(rest.paramAsTime("timeout", null));
    return channel ->
        client.execute(action.type(), request, new NodesResponseRestListener<>(channel));
  }
}
