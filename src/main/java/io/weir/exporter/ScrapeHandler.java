package io.weir.exporter;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.weir.time.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers scrapes. Prometheus' own library renders them one by one on one thread, and each
 * request's thread sends the response. Equal requests that wait share a response, so hundreds of
 * concurrent ones cost two renderings. No response is older than its request.
 *
 * <p>The rendering thread is a platform thread: on a virtual one the JDK's {@code BufferedWriter}
 * starts small and grows by copying in hundreds of writes.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns its thread, not the registry. <b>Failure:</b> a
 * rendering failure is answered with 500 and the reason.
 */
final class ScrapeHandler implements HttpHandler, AutoCloseable {

  /** The request of a client; equal requests may share a response. */
  private record Wanted(String query, List<String> accept, boolean compressed) {}

  /** A response, which many threads may send concurrently. */
  private record Answer(int status, Map<String, String> headers, byte[] body) {}

  /** The JDK's server keeps twice the longest write for each open connection. */
  private static final int PIECE_BYTES = 1 << 16;

  /**
   * One coding with its weight. It never backtracks: a client chooses the text. Source: RFC 9110,
   * 12.4.2 and 12.5.3.
   */
  private static final Pattern CODING =
      Pattern.compile(
          "_*+([^ \\t;]*+)(?:_*+;_*+[qQ]=(0(?:\\.[0-9]{0,3}+)?+|1(?:\\.0{0,3}+)?+))?+_*+"
              .replace("_", "[ \\t]"));

  private static final int INTERNAL_ERROR = 500;
  private static final String HEAD = "HEAD";

  private final PrometheusScrapeHandler library;
  private final ExecutorService rendering =
      Executors.newSingleThreadExecutor(DaemonThreads.named("weir-metrics-render"));

  /** Responses whose rendering has not begun: new requests may still share them. */
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
              acceptsGzip(asked.getOrDefault("Accept-Encoding", List.of())));
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

  /** Stops rendering. */
  @Override
  public void close() {
    rendering.shutdownNow();
  }

  /**
   * Whether a client takes gzip, and likes it at least as much as no compression. A coding with
   * weight 0 is refused, and so is one whose weight cannot be understood. No compression is never
   * refused: the meters are worth more than an error.
   *
   * @param fields the values of all {@code Accept-Encoding} headers
   */
  private static boolean acceptsGzip(List<String> fields) {
    Map<String, Double> weights = new HashMap<>();
    for (String element : String.join(",", fields).split(",")) {
      Matcher coding = CODING.matcher(element);
      boolean understood = coding.matches();
      if (!understood) {
        coding.lookingAt(); // any element begins with a name, which may be empty
      }
      String name = coding.group(1).toLowerCase(Locale.ROOT);
      String weight = coding.group(2) == null ? "1" : coding.group(2);
      weights.merge(
          name.equals("x-gzip") ? Scrape.GZIP : name,
          understood ? Double.parseDouble(weight) : 0,
          Math::min);
    }
    double gzip = weights.getOrDefault(Scrape.GZIP, weights.getOrDefault("*", 0.0));
    return gzip > 0 && gzip >= weights.getOrDefault("identity", 0.0);
  }

  private Future<Answer> enqueue(Wanted wanted) {
    return rendering.submit(
        () -> {
          waiting.remove(wanted); // from now on it may be older than a new request
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
