package io.weir.exporter;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** What of a collector of OpenTelemetry a push meets: it takes requests, and reads them. */
public final class Collector implements AutoCloseable {

  /** A push, read by OpenTelemetry's own classes. */
  public record Push(String contentType, ExportMetricsServiceRequest request) {

    /** What the process calls itself. */
    public Map<String, String> resource() {
      return request.getResourceMetrics(0).getResource().getAttributesList().stream()
          .collect(
              Collectors.toMap(
                  attribute -> attribute.getKey(),
                  attribute -> attribute.getValue().getStringValue()));
    }

    /** The metric of this name. */
    public Optional<Metric> metric(String name) {
      return request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
          .filter(metric -> metric.getName().equals(name))
          .findFirst();
    }

    /** The attributes of a point. */
    public static Map<String, String> attributes(NumberDataPoint point) {
      return point.getAttributesList().stream()
          .collect(
              Collectors.toMap(
                  attribute -> attribute.getKey(),
                  attribute -> attribute.getValue().getStringValue()));
    }
  }

  private static final String PATH = "/v1/metrics";

  private final BlockingQueue<Push> pushes = new LinkedBlockingQueue<>();
  private final HttpServer server;
  private volatile int status = 200;

  /** Listens on a free port of this machine. */
  public Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(PATH, this::take);
    server.start();
  }

  /** From now on answers with this; all but 200 takes nothing. */
  public void answerWith(int newStatus) {
    status = newStatus;
  }

  /** Where to send. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH);
  }

  /** The next push that was taken. */
  public Push next() throws InterruptedException {
    return pushes.take();
  }

  /** Whether no more came. */
  public boolean isEmpty() {
    return pushes.isEmpty();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (status == 200) {
        pushes.add(
            new Push(
                exchange.getRequestHeaders().getFirst("Content-Type"),
                ExportMetricsServiceRequest.parseFrom(body)));
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }
}
