package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.run.RunJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The REST paths of an engine with one index, over real HTTP; what they do is in memory. */
public final class StubEngine implements AutoCloseable {

  /** What a path answers. */
  record Answer(int status, String body) {}

  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** The same with their queries and bodies. */
  public final List<String> requestsInFull = new CopyOnWriteArrayList<>();

  public final List<String> authorizations = new CopyOnWriteArrayList<>();
  final Set<String> ids = new ConcurrentSkipListSet<>();
  final Map<String, Answer> overrides = new ConcurrentHashMap<>();

  /** Answers before everything else, by the body of a request. */
  volatile Function<String, Optional<Answer>> byBody = body -> Optional.empty();

  volatile long forceMergeMillis = 300;
  volatile long refreshMillis;
  volatile long healthMillis;

  /**
   * The answer about Weir's plug-in, by how often it was asked for before; without it there is
   * none.
   */
  volatile Optional<IntFunction<String>> pluginStats = Optional.empty();

  private final AtomicInteger pluginReads = new AtomicInteger();

  /** How long what a forced merge begins goes on after its answer; 0 for none of it. */
  volatile long naturalMergeMillis;

  final List<Integer> segmentsPerTier = new CopyOnWriteArrayList<>();
  final List<String> largestMerged = new CopyOnWriteArrayList<>();
  private volatile long mergingUntilNanos;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile JsonNode mapping;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  public StubEngine() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getPath();
      String request = exchange.getRequestMethod() + " " + path;
      requests.add(request);
      requestsInFull.add(
          "%s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(), body));
      Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
          .ifPresent(authorizations::add);
      Answer answer =
          byBody.apply(body).isPresent()
              ? byBody.apply(body).get()
              : overrides.containsKey(request) ? overrides.get(request) : answer(request, body);
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isMerging() {
    return mergingUntilNanos != 0 && System.nanoTime() < mergingUntilNanos;
  }

  private Answer answer(String request, String body) throws IOException, InterruptedException {
    String shards = "{\"_shards\":{\"total\":1,\"successful\":1,\"failed\":0}}";
    return switch (request.replaceFirst("/[a-z][a-z-]*(?=/_|$)", "/INDEX")) {
      case "GET /" ->
          new Answer(200, "{\"version\":{\"distribution\":\"stub\",\"number\":\"1.0\"}}");
      case "GET /_nodes" -> new Answer(200, "{\"nodes\":{\"n\":{\"version\":\"1.0\"}}}");
      case "PUT /INDEX" -> {
        mapping = RunJson.parse(body).path("mappings");
        yield new Answer(200, "{}");
      }
      case "PUT /INDEX/_mapping" -> {
        mapping = RunJson.parse(body);
        yield new Answer(200, "{}");
      }
      case "GET /_cluster/health/INDEX" -> {
        closing.await(healthMillis, TimeUnit.MILLISECONDS);
        yield new Answer(200, "{}");
      }
      case "GET /INDEX/_mapping" ->
          mapping == null
              ? new Answer(404, "{\"error\":\"no such index\"}")
              : new Answer(200, RunJson.line(Map.of("weir-stress", Map.of("mappings", mapping))));
      case "POST /INDEX/_bulk" -> {
        body.lines()
            .filter(line -> line.startsWith("{\"index\":"))
            .forEach(line -> ids.add(line.split("\"")[5]));
        yield new Answer(200, "{\"errors\":false}");
      }
      case "GET /INDEX/_count" -> new Answer(200, "{\"count\":" + ids.size() + "}");
      case "POST /INDEX/_search" ->
          new Answer(200, "{\"_shards\":{\"failed\":0},\"hits\":{\"hits\":[{},{}]}}");
      case "GET /INDEX/_segments" ->
          new Answer(
              200,
              "{\"indices\":{\"weir-stress\":{\"shards\":{\"0\":[{\"routing\":{\"primary\":true},"
                  + "\"segments\":{\"_0\":{%s},\"_1\":{\"size_in_bytes\":700}}}]}}}}"
                      .formatted(
                          (isMerging() ? "\"merge_id\":\"m\"," : "") + "\"size_in_bytes\":500"));
      case "PUT /INDEX/_settings" -> {
        JsonNode count = RunJson.parse(body).path("index.merge.policy.segments_per_tier");
        if (!count.isMissingNode()) {
          segmentsPerTier.add(count.asInt());
          largestMerged.add(
              RunJson.parse(body).path("index.merge.policy.max_merged_segment").asText());
        }
        yield new Answer(200, "{}");
      }
      case "GET /INDEX/_stats/merge" ->
          new Answer(
              200,
              "{\"_all\":{\"total\":{\"merges\":{\"total\":%d}}}}"
                  .formatted(mergingUntilNanos == 0 || isMerging() ? 0 : 1));
      case "POST /INDEX/_forcemerge" -> {
        if (naturalMergeMillis > 0) {
          mergingUntilNanos = System.nanoTime() + naturalMergeMillis * 1_000_000;
          yield new Answer(200, shards);
        }
        closing.await(forceMergeMillis, TimeUnit.MILLISECONDS);
        yield new Answer(200, shards);
      }
      case "POST /INDEX/_refresh" -> {
        closing.await(refreshMillis, TimeUnit.MILLISECONDS);
        yield new Answer(200, shards);
      }
      case "GET /INDEX/_weir/stats" ->
          pluginStats
              .map(stats -> new Answer(200, stats.apply(pluginReads.getAndIncrement())))
              .orElse(new Answer(400, "{\"error\":\"no handler found\"}"));
      case "POST /INDEX/_flush" -> new Answer(200, shards);
      default -> new Answer(200, "{}");
    };
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
