package io.weir.stress.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.RunJson;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The index of a run in OpenSearch or Elasticsearch, by the paths that both share. Its mapping says
 * that it is one, and what it was filled with: no other index is ever written to.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> as {@link EngineClient}.
 */
final class RestIndex implements EngineIndex, EngineIndex.NaturalMerges {

  static final String TITLE = "title";
  static final String BODY = "body";
  static final String DATE = "date";

  /** In the mapping's {@code _meta}. */
  private static final String STAMP = "weir-stress";

  /** How long a node keeps what a reader of all documents has not read yet. */
  private static final String READING = "5m";

  private static final int NO_SUCH_PATH = 400;
  private static final int NOT_FOUND = 404;

  /** Names no distribution in its answer. */
  private static final String ELASTICSEARCH = "elasticsearch";

  private final EngineClient client;
  private final String name;
  private final RestMergePolicy mergePolicy;
  private final Optional<Map<String, String>> weirSettings;
  private volatile Optional<RestVectors> vectors; // empty until the cluster is asked

  private RestIndex(
      EngineClient client,
      String name,
      Optional<Map<String, String>> weirSettings,
      Optional<RestVectors> vectors) {
    this.client = client;
    this.name = name;
    this.mergePolicy = new RestMergePolicy(client, name);
    this.weirSettings = weirSettings;
    this.vectors = vectors;
  }

  /**
   * On a server of the run's own.
   *
   * @param weirSettings by which a closed index begins to use Weir's plug-in
   * @param vectors those of the server
   */
  static RestIndex onOwnServer(
      EngineClient client, Map<String, String> weirSettings, RestVectors vectors) {
    return new RestIndex(client, DEFAULT_NAME, Optional.of(weirSettings), Optional.of(vectors));
  }

  /** In a cluster that the run has not started. */
  static RestIndex inCluster(EngineClient client, String name) {
    return new RestIndex(client, name, Optional.empty(), Optional.empty());
  }

  @Override
  public String version() throws IOException, InterruptedException {
    Set<String> versions = new TreeSet<>();
    for (JsonNode node : client.get("/_nodes?filter_path=nodes.*.version").path("nodes")) {
      versions.add(node.path("version").asText());
    }
    return distribution() + " " + String.join(", ", versions);
  }

  private String distribution() throws IOException, InterruptedException {
    try {
      return client.get("/").path("version").path("distribution").asText(ELASTICSEARCH);
    } catch (EngineException e) {
      return ELASTICSEARCH; // its distribution for tests does not answer there
    }
  }

  private RestVectors vectors() throws IOException, InterruptedException {
    if (vectors.isEmpty()) {
      vectors = Optional.of(RestVectors.of(distribution()));
    }
    return vectors.get();
  }

  /** Each node of a cluster must have the plug-in that vectors need. */
  @Override
  public void requireVectors(int dims, VectorFormat format)
      throws IOException, InterruptedException {
    Optional<String> obstacle = vectors().obstacle(dims, format);
    if (obstacle.isPresent()) {
      throw new EngineException(obstacle.get());
    }
    Optional<String> needed = vectors().plugin();
    if (needed.isEmpty()) {
      return;
    }
    for (JsonNode node : client.get("/_nodes/plugins").path("nodes")) {
      if (!node.path("plugins").findValuesAsText("name").contains(needed.get())) {
        throw new EngineException(
            "node %s has no plug-in %s; %s"
                .formatted(node.path("name").asText(), needed.get(), vectors().install()));
      }
    }
  }

  @Override
  public Collections collections() throws IOException, InterruptedException {
    Collections all = Collections.NONE;
    for (JsonNode node : client.get("/_nodes/stats/jvm").path("nodes")) {
      for (Map.Entry<String, JsonNode> collector :
          node.path("jvm").path("gc").path("collectors").properties()) {
        all =
            all.plus(
                collector.getKey(),
                collector.getValue().path("collection_count").asLong(),
                collector.getValue().path("collection_time_in_millis").asLong());
      }
    }
    return all;
  }

  @Override
  public void create(EngineStamp stamp) throws IOException, InterruptedException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("number_of_shards", stamp.shards());
    if (stamp.engine().isPresent()) { // a server of the run's own
      settings.put("number_of_replicas", 0);
    }
    settings.put("refresh_interval", -1); // the load refreshes, at its times
    settings.put("merge.policy.segments_per_tier", RestMergePolicy.SEGMENTS_PER_TIER);
    settings.put("translog.durability", "async");
    if (stamp.compound() != CompoundFiles.DEFAULT) {
      settings.put("compound_format", stamp.compound() == CompoundFiles.ALWAYS);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(TITLE, Map.of("type", "text"));
    fields.put(BODY, Map.of("type", "text"));
    fields.put(DATE, Map.of("type", "date", "format", "epoch_millis"));
    DocumentVectors made = DocumentVectors.of(stamp.from());
    if (!made.isNone()) {
      settings.putAll(vectors().settings());
      fields.put(RestVectors.FIELD, vectors().field(made.dims(), stamp.vectorFormat()));
    }
    client.put(
        path(""),
        Map.of(
            "settings", settings, "mappings", Map.of("_meta", meta(stamp), "properties", fields)));
  }

  private static Map<String, Object> meta(EngineStamp stamp) {
    return Map.of(STAMP, stamp);
  }

  @Override
  public void recordFilled(EngineStamp stamp) throws IOException, InterruptedException {
    client.post(path("/_flush?wait_if_ongoing=true"));
    client.put(path("/_settings"), Map.of("index.translog.durability", "request"));
    client.put(path("/_mapping"), Map.of("_meta", meta(stamp)));
    client.post(path("/_refresh"));
    long found = documents();
    if (found != stamp.documents()) {
      throw new EngineException(
          "the index must hold the %d documents that it was given: %d"
              .formatted(stamp.documents(), found));
    }
  }

  @Override
  public Optional<EngineStamp> stamp() throws IOException, InterruptedException {
    JsonNode mappings;
    try {
      mappings = client.get(path("/_mapping"));
    } catch (EngineException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    JsonNode stamp = mappings.path(name).path("mappings").path("_meta").path(STAMP);
    if (stamp.isMissingNode()) {
      throw new EngineException(
          "the index must be one that weir stress made, because a run changes documents: " + name);
    }
    try {
      return Optional.of(RunJson.ofTree(stamp, EngineStamp.class));
    } catch (JsonProcessingException e) {
      throw new EngineException(
          "the index must be one that this version of weir stress made; delete it: " + name, e);
    }
  }

  @Override
  public void delete() throws IOException, InterruptedException {
    client.delete(path(""));
  }

  @Override
  public void prepare(ArmSettings arm) throws IOException, InterruptedException {
    if (weirSettings.isEmpty()) {
      mergePolicy.leaveLarge(); // an earlier run may have been stopped in a natural merge
      return;
    }
    boolean weir = arm.get(ArmSetting.PRESET) == Preset.WEIR;
    // Stock is closed and opened too, so that both arms begin alike.
    reopenWith(weir ? weirSettings.get() : Map.of("index.refresh_interval", "-1"));
    mergePolicy.leaveLarge();
    if (weir && arm.get(ArmSetting.CAP).isLimited()) {
      client.put(
          "/_cluster/settings",
          Map.of(
              "persistent",
              Map.of(
                  "weir.merge.max_bytes_per_sec",
                  arm.get(ArmSetting.CAP).bytesPerSecond() + "b",
                  "weir.merge.count_reads",
                  Boolean.toString(arm.get(ArmSetting.COUNT_READS)))));
    }
  }

  /** Gives it other settings while it is closed. */
  private void reopenWith(Map<String, String> settings) throws IOException, InterruptedException {
    client.post(path("/_close"));
    client.put(path("/_settings"), settings);
    client.post(path("/_open"));
    awaitHealth();
  }

  /** Waits until each primary shard is there. */
  @Override
  public void awaitHealth() throws IOException, InterruptedException {
    client.get("/_cluster/health/" + name + "?wait_for_status=yellow&timeout=120s");
  }

  @Override
  public void refresh() throws IOException, InterruptedException {
    JsonNode shards = client.post(path("/_refresh")).path("_shards");
    requireNoneFailed("refresh", shards);
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    requireNoneFailed("flush", client.post(path("/_flush")).path("_shards"));
  }

  @Override
  public void forceMerge() throws IOException, InterruptedException {
    JsonNode answer = client.postAndWait(path("/_forcemerge?max_num_segments=1"));
    requireNoneFailed("forced merge", answer.path("_shards"));
  }

  @Override
  public Optional<NaturalMerges> naturalMerges() {
    return Optional.of(this);
  }

  @Override
  public void begin() throws IOException, InterruptedException {
    mergePolicy.mergeLarge();
    try {
      JsonNode answer = client.postAndWait(path("/_forcemerge?flush=false"));
      requireNoneFailed("merge", answer.path("_shards"));
    } finally {
      mergePolicy.leaveLarge();
    }
  }

  private static void requireNoneFailed(String what, JsonNode shards) throws EngineException {
    if (shards.path("failed").asInt() > 0) {
      throw new EngineException(
          "a %s failed on %d of %d shards: %s"
              .formatted(
                  what,
                  shards.path("failed").asInt(),
                  shards.path("total").asInt(),
                  shards.path("failures")));
    }
  }

  @Override
  public Bulk bulk() {
    return new Lines();
  }

  /** Sends the lines of a bulk of index operations; each of them must succeed. */
  private void sendLines(String lines) throws IOException, InterruptedException {
    JsonNode answer = client.bulk(path("/_bulk?filter_path=errors,items.*.error"), lines);
    if (answer.path("errors").asBoolean()) {
      throw new EngineException("a bulk failed: " + answer.path("items").path(0));
    }
  }

  @Override
  public Map<String, Object> request(SearchQuery query, DocumentVectors made, int size)
      throws IOException, InterruptedException {
    Map<String, Object> request =
        new LinkedHashMap<>(
            switch (query.kind()) {
              case TEXT -> Map.of("query", json(query));
              case KNN -> vectors().search(Optional.empty(), made.ofQuery(query.terms()));
              case HYBRID ->
                  vectors().search(Optional.of(json(query)), made.ofQuery(query.terms()));
            });
    request.put("size", size);
    return request;
  }

  @Override
  public int search(SearchQuery query, DocumentVectors made, int size)
      throws IOException, InterruptedException {
    return hits(client.post(path("/_search"), request(query, made, size))).size();
  }

  private static JsonNode hits(JsonNode answer) throws EngineException {
    requireNoneFailed("search", answer.path("_shards"));
    return answer.path("hits").path("hits");
  }

  @Override
  public List<String> nearest(float[] vector) throws IOException, InterruptedException {
    Map<String, Object> request = new LinkedHashMap<>(vectors().search(Optional.empty(), vector));
    request.put("size", SearchQuery.NEIGHBOURS);
    request.put("_source", false);
    return hits(client.post(path("/_search"), request)).findValuesAsText("_id");
  }

  @Override
  public void forEachVector(VectorRecall.VectorConsumer<String> consumer)
      throws IOException, InterruptedException {
    Map<String, Object> request = new LinkedHashMap<>(vectors().read());
    request.put("size", PAGE);
    request.put("sort", List.of("_doc"));
    JsonNode page = client.post(path("/_search?scroll=" + READING), request);
    String scroll = page.path("_scroll_id").asText();
    try {
      while (take(hits(page), consumer)) {
        page = client.post("/_search/scroll", Map.of("scroll", READING, "scroll_id", scroll));
        scroll = page.path("_scroll_id").asText(scroll);
      }
    } finally {
      endReading(scroll);
    }
  }

  private void endReading(String scroll) throws InterruptedException {
    try {
      client.delete("/_search/scroll", Map.of("scroll_id", scroll));
    } catch (IOException e) {
      // After its time the node forgets it anyway.
    }
  }

  /** Whether there may be more, and the consumer wants it. */
  private boolean take(JsonNode hits, VectorRecall.VectorConsumer<String> consumer)
      throws IOException, InterruptedException {
    for (JsonNode hit : hits) {
      Optional<float[]> vector = EngineIndex.vector(vectors().vector(hit));
      if (vector.isPresent() && !consumer.take(hit.path("_id").asText(), vector.get())) {
        return false;
      }
    }
    return !hits.isEmpty();
  }

  @Override
  public long documents() throws IOException, InterruptedException {
    return client.get(path("/_count")).path("count").asLong();
  }

  @Override
  public Optional<PluginFigures> pluginFigures() throws IOException, InterruptedException {
    try {
      return PluginFigures.of(client.get(path("/_weir/stats")), name);
    } catch (EngineException e) {
      if (e.status() == NO_SUCH_PATH) {
        return Optional.empty(); // without the plug-in
      }
      throw e;
    }
  }

  @Override
  public Shape shape() throws IOException, InterruptedException {
    List<Segment> primary = segments().stream().filter(Segment::primary).toList();
    long shards = primary.stream().map(Segment::shard).distinct().count();
    return new Shape(Math.toIntExact(shards), primary.size());
  }

  @Override
  public Set<Segment> segments() throws IOException, InterruptedException {
    Set<Segment> segments = new HashSet<>();
    JsonNode shards = client.get(path("/_segments")).path("indices").path(name).path("shards");
    for (Map.Entry<String, JsonNode> shard : shards.properties()) {
      for (JsonNode copy : shard.getValue()) {
        JsonNode routing = copy.path("routing");
        for (Map.Entry<String, JsonNode> segment : copy.path("segments").properties()) {
          segments.add(
              new Segment(
                  shard.getKey(),
                  routing.path("node").asText(),
                  routing.path("primary").asBoolean(),
                  segment.getKey(),
                  segment.getValue().has("merge_id")));
        }
      }
    }
    return segments;
  }

  @Override
  public long ended() throws IOException, InterruptedException {
    return client
        .get(path("/_stats/merge"))
        .path("_all")
        .path("total")
        .path("merges")
        .path("total")
        .asLong();
  }

  private String path(String rest) {
    return "/" + name + rest;
  }

  /** A query in the language of OpenSearch and Elasticsearch. */
  static Map<String, Object> json(SearchQuery query) {
    String occur = query.operator() == SearchQuery.Operator.AND ? "must" : "should";
    return Map.of("bool", Map.of(occur, terms(query.terms()), "must_not", terms(query.without())));
  }

  private static List<Map<String, Object>> terms(List<String> terms) {
    return terms.stream().map(term -> Map.<String, Object>of("term", Map.of(BODY, term))).toList();
  }

  /** The lines of one {@code _bulk} request that indexes documents by id. <b>Threads:</b> one. */
  private final class Lines implements Bulk {

    private final StringBuilder lines = new StringBuilder();

    @Override
    public void add(Updater.Update document) {
      Map<String, Object> source = new LinkedHashMap<>();
      source.put(TITLE, document.text().title());
      source.put(BODY, document.text().body());
      source.put(DATE, document.text().epochMillis());
      document.vector().ifPresent(vector -> source.put(RestVectors.FIELD, vector));
      lines.append(RunJson.line(Map.of("index", Map.of("_id", document.key())))).append('\n');
      lines.append(RunJson.line(source)).append('\n');
    }

    @Override
    public int bytes() {
      return lines.length();
    }

    @Override
    public void send() throws IOException, InterruptedException {
      String taken = lines.toString();
      lines.setLength(0);
      sendLines(taken);
    }
  }
}
