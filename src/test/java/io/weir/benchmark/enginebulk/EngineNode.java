package io.weir.benchmark.enginebulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.benchmark.enginebulk.EngineBulkBenchmark.Store;
import io.weir.benchmark.enginebulk.EngineBulkBenchmark.Trial;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A node that runs, alone in its cluster. <b>Threads:</b> one. */
final class EngineNode {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String INDEX_PREFIX = "/weir-bulk-";
  private static final String ELASTICSEARCH = "elasticsearch";

  /** After each part a refresh leaves a segment, so that all runs have the same ones to merge. */
  private static final int PARTS = 10;

  private static final int BAD_REQUEST = 400;
  private static final long LOOK_EVERY_NANOS = 20_000_000;

  /** A merge that waits for a thread begins some time after another has ended. */
  private static final int QUIET_LOOKS = 15;

  private final URI url;
  private final HttpClient client = HttpClient.newHttpClient();

  EngineNode(URI url) {
    this.url = url;
  }

  /** Its name and version. */
  String version() throws IOException, InterruptedException {
    JsonNode nodes = call("GET", "/_nodes?filter_path=nodes.*.version", none()).path("nodes");
    return distribution() + " " + nodes.findPath("version").asText();
  }

  private String distribution() throws InterruptedException {
    try {
      return call("GET", "/", none()).path("version").path("distribution").asText(ELASTICSEARCH);
    } catch (IOException e) {
      return ELASTICSEARCH; // its distribution for tests does not answer there
    }
  }

  /**
   * Fills an index of each store, all at once.
   *
   * @throws IOException if one fails
   */
  Map<Store, Trial> indexTogether(List<Store> stores, List<byte[]> bulks, int documents)
      throws IOException, InterruptedException {
    Map<Store, Future<Trial>> running = new LinkedHashMap<>();
    Map<Store, Trial> trials = new EnumMap<>(Store.class);
    try (ExecutorService threads = Executors.newFixedThreadPool(stores.size())) {
      for (Store store : stores) {
        running.put(store, threads.submit(() -> index(store, bulks, documents, 1)));
      }
      for (Map.Entry<Store, Future<Trial>> trial : running.entrySet()) {
        trials.put(trial.getKey(), trial.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
    return trials;
  }

  /**
   * Sends all requests to a new index, waits for its merges, writes all to the disk, and deletes
   * the index.
   *
   * @param clients that send at once
   * @throws IOException also if there is such an index, or the node caps merges
   */
  Trial index(Store store, List<byte[]> bulks, int documents, int clients)
      throws IOException, InterruptedException {
    String index = path(store);
    create(store);
    try {
      if (store == Store.WEIR) {
        requireNoCap(index);
      }
      double cpu = cpuSeconds();
      long beginNanos = System.nanoTime();
      for (int part = 0; part < PARTS; part++) {
        int from = bulks.size() * part / PARTS;
        send(index, bulks.subList(from, bulks.size() * (part + 1) / PARTS), clients);
        call("POST", index + "/_refresh", none());
      }
      call("POST", index + "/_flush?wait_if_ongoing=true", none());
      long mergedNanos = awaitMerges(index);
      long flushNanos = System.nanoTime();
      call("POST", index + "/_flush?force=true&wait_if_ongoing=true", none()); // merges did not
      double seconds = (mergedNanos - beginNanos + System.nanoTime() - flushNanos) / 1e9;
      cpu = cpuSeconds() - cpu;
      JsonNode stats = stats(index);
      Trial trial =
          new Trial(seconds, cpu, threadSeconds(stats), stats.at("/merges/total_docs").asLong());
      call("POST", index + "/_refresh", none());
      long found = stats(index).at("/docs/count").asLong();
      if (found != documents) {
        throw new IOException("documents were lost: " + found + " of " + documents);
      }
      return trial;
    } finally {
      call("DELETE", index, none());
    }
  }

  /** The time that the engine says its threads spent on the index, those of merges included. */
  private static double threadSeconds(JsonNode stats) {
    return (stats.at("/indexing/index_time_in_millis").asLong()
            + stats.at("/refresh/total_time_in_millis").asLong()
            + stats.at("/flush/total_time_in_millis").asLong()
            + stats.at("/merges/total_time_in_millis").asLong())
        / 1e3;
  }

  private static String path(Store store) {
    return INDEX_PREFIX + store.name().toLowerCase(Locale.ROOT);
  }

  private void create(Store store) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = exchange("PUT", path(store), json(settings(store)));
    if (answer.statusCode() == BAD_REQUEST
        && new String(answer.body(), UTF_8).contains("resource_already_exists_exception")) {
      throw new IOException(
          "there is an index already; delete it first: " + url.resolve(path(store)));
    }
    succeeded(answer);
  }

  private void requireNoCap(String index) throws IOException, InterruptedException {
    for (JsonNode node : call("GET", index + "/_weir/stats", none()).path("nodes")) {
      long bytesPerSecond = node.at("/merge/max_bytes_per_sec").asLong();
      if (bytesPerSecond >= 0) {
        throw new IOException(
            "the node must not cap merges; weir.merge.max_bytes_per_sec is " + bytesPerSecond);
      }
    }
  }

  /** Waits until no merge runs or is about to, and returns since when, on the clock of the JVM. */
  private long awaitMerges(String index) throws IOException, InterruptedException {
    long sinceNanos = System.nanoTime();
    for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
      if (stats(index).at("/merges/current").asLong() > 0) {
        quiet = -1; // the looks begin anew
      } else if (quiet == 0) {
        sinceNanos = System.nanoTime();
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    return sinceNanos;
  }

  private String settings(Store store) throws IOException, InterruptedException {
    String weir =
        version().startsWith("opensearch")
            ? ", \"store.type\": \"weir\""
            : ", \"weir.enabled\": true";
    return """
    {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "translog.durability": "async",
      "refresh_interval": -1, "merge.policy.segments_per_tier": 4 %s},
     "mappings": {"properties": {"title": {"type": "text"}, "body": {"type": "text"},
      "date": {"type": "date", "format": "epoch_millis"}}}}"""
        .formatted(store == Store.WEIR ? weir : "");
  }

  private void send(String index, List<byte[]> bulks, int count)
      throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService clients = Executors.newFixedThreadPool(count)) {
      List<Future<Void>> ends =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      clients.submit(
                          () -> {
                            int bulk = next.getAndIncrement();
                            while (bulk < bulks.size()) {
                              send(index, bulks.get(bulk));
                              bulk = next.getAndIncrement();
                            }
                            return (Void) null;
                          }))
              .toList();
      for (Future<Void> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private void send(String index, byte[] bulk) throws IOException, InterruptedException {
    String path = index + "/_bulk?filter_path=errors";
    if (call("POST", path, BodyPublishers.ofByteArray(bulk)).path("errors").asBoolean(true)) {
      throw new IOException("a document was refused");
    }
  }

  private JsonNode stats(String index) throws IOException, InterruptedException {
    return call("GET", index + "/_stats", none()).at("/_all/primaries");
  }

  private double cpuSeconds() throws IOException, InterruptedException {
    JsonNode nodes = call("GET", "/_nodes/stats/process", none()).path("nodes");
    return nodes.elements().next().at("/process/cpu/total_in_millis").asLong() / 1e3;
  }

  private static BodyPublisher none() {
    return BodyPublishers.noBody();
  }

  private static BodyPublisher json(String text) {
    return BodyPublishers.ofString(text);
  }

  private JsonNode call(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    return JSON.readTree(succeeded(exchange(method, path, body)).body());
  }

  private static HttpResponse<byte[]> succeeded(HttpResponse<byte[]> answer) throws IOException {
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.request().uri() + ": " + new String(answer.body(), UTF_8));
    }
    return answer;
  }

  private HttpResponse<byte[]> exchange(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(url.resolve(path))
            .method(method, body)
            .header("Content-Type", "application/json")
            .build(),
        BodyHandlers.ofByteArray());
  }
}
