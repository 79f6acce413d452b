package io.weir.opensearch;

import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** Reads a question from REST. The engine refuses parameters that nothing reads, by name. */
final class RestQuestion extends BaseRestHandler {

  private final Question question;

  RestQuestion(Question question) {
    this.question = question;
  }

  @Override
  public String getName() {
    return question.handlerName();
  }

  @Override
  public List<Route> routes() {
    return question.routes();
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    Asked asked = new Asked(Strings.splitStringByCommaToArray(request.param("index")));
    asked.timeout(request.param("timeout"));
    return channel ->
        client.execute(question.action(), asked, new NodesResponseRestListener<>(channel));
  }
}
