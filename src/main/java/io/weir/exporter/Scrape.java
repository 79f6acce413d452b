package io.weir.exporter;

import io.prometheus.metrics.exporter.common.PrometheusHttpExchange;
import io.prometheus.metrics.exporter.common.PrometheusHttpRequest;
import io.prometheus.metrics.exporter.common.PrometheusHttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * One request for Prometheus' library and its response, in memory. So a slow client does not block
 * the rendering, and the size of a response is known before it is sent. Responses use the fastest
 * compression, which takes a quarter of the default's time and a third more bytes.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Scrape
    implements PrometheusHttpExchange, PrometheusHttpRequest, PrometheusHttpResponse {

  static final String PATH = "/metrics";
  static final String ACCEPT = "Accept";
  static final String GZIP = "gzip";
  private static final String CONTENT_LENGTH = "Content-Length";
  private static final int BUFFER_BYTES = 1 << 16;

  private final String query;
  private final List<String> accept;
  private final Map<String, String> headers = new HashMap<>();
  private final boolean compressed;
  private ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private int status;

  /**
   * A request that is not rendered yet.
   *
   * @param query the raw query of the URL; null if there is none
   * @param accept the accepted formats, best first
   * @param compressed whether to compress with gzip
   */
  Scrape(String query, List<String> accept, boolean compressed) {
    this.query = query;
    this.accept = accept;
    this.compressed = compressed;
  }

  /** The HTTP status. */
  int status() {
    return status;
  }

  /** All headers except the length. */
  Map<String, String> headers() {
    return headers;
  }

  ByteArrayOutputStream body() {
    return body;
  }

  @Override
  public PrometheusHttpRequest getRequest() {
    return this;
  }

  @Override
  public PrometheusHttpResponse getResponse() {
    return this;
  }

  @Override
  public void handleException(IOException e) throws IOException {
    throw e;
  }

  @Override
  public void handleException(RuntimeException e) {
    throw e;
  }

  @Override
  public String getQueryString() {
    return query;
  }

  @Override
  public String getRequestPath() {
    return PATH;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return Collections.enumeration(name.equals(ACCEPT) ? accept : List.of());
  }

  /** A HEAD request gets the headers of the full response. */
  @Override
  public String getMethod() {
    return "GET";
  }

  @Override
  public void setHeader(String name, String value) {
    if (!name.equals(CONTENT_LENGTH)) {
      headers.put(name, value);
    }
  }

  @Override
  public OutputStream sendHeadersAndGetBody(int newStatus, int contentLength) throws IOException {
    status = newStatus;
    if (!compressed) {
      body = new ByteArrayOutputStream(contentLength);
      return body;
    }
    setHeader("Content-Encoding", GZIP);
    body = new ByteArrayOutputStream(BUFFER_BYTES);
    return new FastGzip(body);
  }

  @Override
  public void close() {}

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
