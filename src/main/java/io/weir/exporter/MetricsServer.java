package io.weir.exporter;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.weir.time.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small HTTP server. {@code /metrics} returns the meters of a registry as Prometheus text or
 * OpenMetrics, as the client requests, and compressed if the client accepts that. {@code /health}
 * shows that the process responds.
 *
 * <p>A slow or silent client holds only a virtual thread, and is disconnected after some seconds.
 * There are at most {@value #MAX_CONNECTIONS} connections, and one response is rendered at a time.
 * These limits apply to all JDK HTTP servers in this process; existing values of their system
 * properties are kept.
 *
 * <p><b>Threads:</b> its own, daemons. <b>Ownership:</b> owns the port, not the registry.
 * <b>Failure:</b> the JDK answers a malformed request with 400, or disconnects. Indexing is never
 * affected.
 */
public final class MetricsServer implements AutoCloseable {

  static final int MAX_CONNECTIONS = 512;

  /**
   * Properties of the JDK's server: timeouts in seconds, the number of connections, and
   * TCP_NODELAY, without which the body waits for the acknowledgement of the header, often 40 ms.
   */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "30",
          "sun.net.httpserver.idleInterval", "30",
          "jdk.httpserver.maxConnections", Integer.toString(MAX_CONNECTIONS),
          "sun.net.httpserver.nodelay", "true");

  private static final int BACKLOG = 128;
  private static final String GET = "GET";
  private static final String HEAD = "HEAD";
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;

  static {
    SETTINGS.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final ScrapeHandler scrapes;

  private MetricsServer(HttpServer server, ExecutorService threads, ScrapeHandler scrapes) {
    this.server = server;
    this.threads = threads;
    this.scrapes = scrapes;
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot listen on the address
   */
  public static MetricsServer start(MetricsServerOptions options, PrometheusMeterRegistry registry)
      throws IOException {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(registry, "registry");
    CompletableFuture<MetricsServer> started = new CompletableFuture<>();
    // The JDK's server has a dispatcher and timers. Their threads inherit from the threads that
    // create and start it: the context class loader, the group, whether they are daemons.
    DaemonThreads.unstarted(
            "weir-metrics-start",
            () -> {
              try {
                started.complete(startHere(options, registry));
              } catch (Throwable e) {
                started.completeExceptionally(e);
              }
            })
        .start();
    try {
      return started.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException refused -> throw refused;
        case Error missing -> throw missing;
        default -> throw new IOException(e.getCause().getMessage(), e.getCause());
      }
    }
  }

  private static MetricsServer startHere(
      MetricsServerOptions options, PrometheusMeterRegistry registry) throws IOException {
    HttpServer server = listen(options);
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(DaemonThreads.virtual("weir-metrics-"));
    server.setExecutor(threads);
    ScrapeHandler scrapes = new ScrapeHandler(registry.getPrometheusRegistry());
    handle(server, Scrape.PATH, options, scrapes);
    server.createContext("/health", exchange -> answer(exchange, OK, "ok\n"));
    server.createContext(
        "/", exchange -> answer(exchange, NOT_FOUND, "there are /metrics and /health\n"));
    server.start();
    return new MetricsServer(server, threads, scrapes);
  }

  /** The address that it listens on. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Stops listening, and disconnects clients. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    scrapes.close();
  }

  private static HttpServer listen(MetricsServerOptions options) throws IOException {
    try {
      if (options.tls().isEmpty()) {
        return HttpServer.create(options.address(), BACKLOG);
      }
      HttpsServer server = HttpsServer.create(options.address(), BACKLOG);
      server.setHttpsConfigurator(new HttpsConfigurator(options.tls().get()));
      return server;
    } catch (IOException e) {
      throw new IOException("cannot listen on " + options.address() + ": " + e.getMessage(), e);
    }
  }

  private static void handle(
      HttpServer server, String path, MetricsServerOptions options, HttpHandler handler) {
    HttpContext context =
        server.createContext(
            path,
            exchange -> {
              String method = exchange.getRequestMethod();
              if (!exchange.getRequestURI().getPath().equals(path)) { // a context matches prefixes
                answer(exchange, NOT_FOUND, "there are /metrics and /health\n");
              } else if (method.equals(GET) || method.equals(HEAD)) {
                handler.handle(exchange);
              } else {
                exchange.getResponseHeaders().set("Allow", GET + ", " + HEAD);
                answer(exchange, METHOD_NOT_ALLOWED, "use GET\n");
              }
            });
    options.credentials().ifPresent(who -> context.setAuthenticator(authenticator(who)));
  }

  private static BasicAuthenticator authenticator(MetricsServerOptions.Credentials credentials) {
    byte[] user = credentials.user().getBytes(StandardCharsets.UTF_8);
    byte[] password = credentials.password().getBytes(StandardCharsets.UTF_8);
    return new BasicAuthenticator("weir", StandardCharsets.UTF_8) {
      @Override
      public Result authenticate(HttpExchange exchange) {
        try {
          return super.authenticate(exchange);
        } catch (RuntimeException e) { // thrown for invalid Base64, or without a colon
          exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"weir\"");
          return new Failure(UNAUTHORIZED);
        }
      }

      @Override
      public boolean checkCredentials(String givenUser, String givenPassword) {
        // Always compare both, each in constant time.
        return MessageDigest.isEqual(user, givenUser.getBytes(StandardCharsets.UTF_8))
            & MessageDigest.isEqual(password, givenPassword.getBytes(StandardCharsets.UTF_8));
      }
    };
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      if (exchange.getRequestMethod().equals(HEAD)) {
        exchange.sendResponseHeaders(status, -1);
      } else {
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
  }

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
  static final class ScrapeHandler implements HttpHandler, AutoCloseable {

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
}
