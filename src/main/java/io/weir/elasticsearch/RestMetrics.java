package io.weir.elasticsearch;

import io.weir.engine.NodeMeters;
import java.util.List;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestRequest.Method;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/**
 * The meters of the node that is requested, as Prometheus text, on the engine's own port.
 * Elasticsearch lets no plug-in start an HTTP server.
 */
final class RestMetrics extends BaseRestHandler {

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final NodeMeters meters;

  RestMetrics(NodeMeters meters) {
    this.meters = meters;
  }

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
        channel.sendResponse(
            new RestResponse(RestStatus.OK, PROMETHEUS_TEXT, meters.registry().scrape()));
  }
}
