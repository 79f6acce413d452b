package io.weir.elasticsearch;

import java.util.List;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestRequest.Method;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.rest.action.RestResponseListener;

/**
 * The meters of the node that receives the request, as Prometheus text, on the engine's own port.
 * Elasticsearch lets no plug-in start an HTTP server.
 */
final class RestMetrics extends BaseRestHandler {

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public String getName() {
    return "weir_metrics";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, "/_weir/metrics"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    return channel ->
        client.execute(
            TransportMetricsAction.TYPE,
            new TransportMetricsAction.Request(),
            new RestResponseListener<>(channel) {
              @Override
              public RestResponse buildResponse(TransportMetricsAction.Response meters) {
                return new RestResponse(RestStatus.OK, PROMETHEUS_TEXT, meters.prometheusText());
              }
            });
  }
}
