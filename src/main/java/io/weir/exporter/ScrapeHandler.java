package io.weir.exporter;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers a scrape: rendered by Prometheus' own library on one thread, one after the other, and
 * sent by the thread that asks. Those that ask for the same while it waits its turn share an
 * answer, so hundreds at once cost two renderings; none is older than who asked.
 *
 * <p>The one thread is of the platform: on a virtual one the JDK's {@code BufferedWriter} begins
 * small and is copied at each of hundreds of writes until it has its size.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns its thread, not the registry. <b>Failure:</b> what
 * cannot be rendered is answered by 500 and why.
 */
final class ScrapeHandler implements HttpHandler, AutoCloseable {

  /** What a client wants; those that want the same may have the same answer. */
  private record Wanted(String query, List<String> accept, boolean compressed) {}

  /** Sent by many threads at once. */
  private record Answer(int status, Map<String, String> headers, byte[] body) {}

  /** The JDK's server keeps twice the longest write for each connection, as long as it is open. */
  private static final int PIECE_BYTES = 1 << 16;

  private static final int INTERNAL_ERROR = 500;
  private static final String HEAD = "HEAD";

  private final PrometheusScrapeHandler library;
  private final ExecutorService rendering =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("weir-metrics-render").daemon().factory());

  /** Answers that are not begun yet: whoever comes now can still have them. */
  private final Map<Wanted, Future<Answer>> waiting = new ConcurrentHashMap<>();

  ScrapeHandler(PrometheusRegistry registry) {
    library = new PrometheusScrapeHandler(registry);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers asked = exchange.getRequestHeaders();
      Wanted wanted =
          new Wanted(
              exchange.getRequestURI().getRawQuery(),
              List.copyOf(asked.getOrDefault(Scrape.ACCEPT, List.of())),
              asked.getOrDefault("Accept-Encoding", List.of()).stream()
                  .anyMatch(value -> value.contains(Scrape.GZIP)));
      Answer answer;
      try {
        answer = waiting.computeIfAbsent(wanted, this::enqueue).get();
      } catch (ExecutionException e) {
        fail(exchange, e.getCause());
        return;
      } catch (InterruptedException | RejectedExecutionException e) { // it is being closed
        throw new InterruptedIOException(e.toString());
      }
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      send(exchange, answer.status(), answer.body());
    }
  }

  /** Renders no more. */
  @Override
  public void close() {
    rendering.shutdownNow();
  }

  private Future<Answer> enqueue(Wanted wanted) {
    return rendering.submit(
        () -> {
          waiting.remove(wanted); // from now on it may be older than who asks
          return render(wanted);
        });
  }

  private Answer render(Wanted wanted) throws IOException {
    Scrape scrape = new Scrape(wanted.query(), wanted.accept(), wanted.compressed());
    library.handleRequest(scrape);
    return new Answer(scrape.status(), scrape.headers(), scrape.body().toByteArray());
  }

  private static void fail(HttpExchange exchange, Throwable cause) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    send(
        exchange,
        INTERNAL_ERROR,
        ("the meters cannot be rendered: " + cause + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    if (exchange.getRequestMethod().equals(HEAD)) {
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      for (int from = 0; from < body.length; from += PIECE_BYTES) {
        exchange.getResponseBody().write(body, from, Math.min(PIECE_BYTES, body.length - from));
      }
    }
  }
}
