package io.weir.why;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A server that answers as a real one did while documents were indexed and each request refreshed:
 * the answers of OpenSearch 3.8.0, Elasticsearch 9.5.3 and Solr 9.10.1 to the requests of {@link
 * ClusterApi}, but for the process and its start, which would be of a machine. A path with several
 * answers gives them one after the other, and then the last one; the first are those to the
 * requests before the look.
 */
public final class RecordedEngine implements AutoCloseable {

  private static final Map<String, List<String>> REST =
      Map.of(
          "/", List.of("root.json"),
          "/_nodes/jvm", List.of("nodes.json"),
          "/_cluster/stats", List.of("cluster-stats.json"),
          "/_all/_settings", List.of("settings.json"),
          "/_nodes/stats/indices,jvm,os,fs/refresh,merge,segments,docs,indexing",
              List.of("stats-1.json", "stats-1.json", "stats-2.json"),
          "/_tasks", List.of("tasks.json"),
          "/_nodes/hot_threads", List.of("hot-threads-1.txt", "hot-threads-2.txt"));

  private static final Map<String, List<String>> SOLR =
      Map.of(
          "/solr/admin/info/system", List.of("system.json"),
          "/solr/admin/info/threads", List.of("threads-1.json", "threads-2.json"),
          "/solr/admin/metrics",
              List.of("metrics-1.json", "metrics-1.json", "metrics-1.json", "metrics-2.json"));

  /** {@code METHOD path?query}. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  public final List<String> authorizations = new CopyOnWriteArrayList<>();

  /** Statuses of paths that are refused. */
  public final Map<String, Integer> refusals = new ConcurrentHashMap<>();

  /** Changes what is answered. */
  public volatile UnaryOperator<String> edit = answer -> answer;

  /** After so many requests no other is answered. */
  public volatile int mostRequests = Integer.MAX_VALUE;

  private final String engine;
  private final Map<String, List<String>> answers;
  private final Map<String, AtomicInteger> given = new ConcurrentHashMap<>();
  private final HttpServer server;

  /** They begin with the server, so they are none of the command that asks it. */
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(4, 4, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

  /** One of {@code opensearch}, {@code elasticsearch} and {@code solr}. */
  public RecordedEngine(String engine) throws IOException {
    this.engine = engine;
    this.answers = engine.equals("solr") ? SOLR : REST;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    threads.prestartAllCoreThreads();
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Its address, as {@code weir why} spells it. */
  public URI target() {
    String node = "127.0.0.1:" + server.getAddress().getPort();
    return URI.create(engine.equals("solr") ? "solr:http://" + node + "/solr" : "http://" + node);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
          .ifPresent(authorizations::add);
      if (requests.size() > mostRequests) {
        return; // closes the connection
      }
      String path = exchange.getRequestURI().getPath();
      Optional<String> answer = answer(path);
      int status = refusals.getOrDefault(path, answer.isPresent() ? 200 : 405);
      byte[] body =
          (status == 200 ? edit.apply(answer.orElseThrow()) : "{\"status\":%d}".formatted(status))
              .getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  /** Empty where the real one had none: the tested distribution of Elasticsearch has no "/". */
  private Optional<String> answer(String path) throws IOException {
    List<String> files = answers.getOrDefault(path, List.of());
    if (files.isEmpty()) {
      return Optional.empty();
    }
    int turn = given.computeIfAbsent(path, added -> new AtomicInteger()).getAndIncrement();
    String file = engine + "/" + files.get(Math.min(turn, files.size() - 1));
    try (InputStream in = RecordedEngine.class.getResourceAsStream(file)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
