package io.weir.elasticsearch;

import io.weir.engine.NodeMeters;
import java.util.List;
import org.elasticsearch.action.ActionListener;
import org.elasticsearch.action.ActionRequest;
import org.elasticsearch.action.ActionRequestValidationException;
import org.elasticsearch.action.ActionResponse;
import org.elasticsearch.action.ActionType;
import org.elasticsearch.action.support.ActionFilters;
import org.elasticsearch.action.support.TransportAction;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.io.stream.StreamOutput;
import org.elasticsearch.injection.guice.Inject;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestRequest.Method;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.rest.action.RestResponseListener;
import org.elasticsearch.tasks.Task;
import org.elasticsearch.threadpool.ThreadPool;
import org.elasticsearch.transport.TransportService;

/**
 * Renders the meters of this node. It is an action so that the engine checks the user's privilege,
 * and runs on a thread for management: a thread of the HTTP server must not wait for the figures.
 */
public final class TransportMetricsAction
    extends TransportAction<TransportMetricsAction.Request, TransportMetricsAction.Response> {

  /** The action, with the privilege that it needs. */
  static final ActionType<Response> TYPE = new ActionType<>("cluster:monitor/weir/metrics");

  private final NodeMeters meters;

  /** Called by the engine. */
  @Inject
  public TransportMetricsAction(
      ThreadPool threads, TransportService transport, ActionFilters filters, NodeMeters meters) {
    super(
        TYPE.name(),
        filters,
        transport.getTaskManager(),
        threads.executor(ThreadPool.Names.MANAGEMENT));
    this.meters = meters;
  }

  @Override
  protected void doExecute(Task task, Request request, ActionListener<Response> listener) {
    ActionListener.completeWith(listener, () -> new Response(meters.registry().scrape()));
  }

  /** A request to this node; it has no parameters. */
  static final class Request extends ActionRequest {

    @Override
    public ActionRequestValidationException validate() {
      return null;
    }
  }

  /** The meters of this node. */
  static final class Response extends ActionResponse {

    private final String prometheusText;

    Response(String prometheusText) {
      this.prometheusText = prometheusText;
    }

    String prometheusText() {
      return prometheusText;
    }

    @Override
    public void writeTo(StreamOutput out) {
      TransportAction.localOnly();
    }
  }

  /**
   * The meters of the node that receives the request, as Prometheus text, on the engine's own port.
   * Elasticsearch lets no plug-in start an HTTP server.
   */
  static final class Rest extends BaseRestHandler {

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
}
