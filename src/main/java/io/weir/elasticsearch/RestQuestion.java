package io.weir.elasticsearch;

import java.util.List;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.Strings;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.action.RestActions.NodesResponseRestListener;

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
    asked.setTimeout(request.paramAsTime("timeout", null));
    return channel ->
        client.execute(question.action(), asked, new NodesResponseRestListener<>(channel));
  }
}
