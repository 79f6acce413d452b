package io.weir.stress.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.corpus.CorpusDocument;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.RunJson;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.VectorFormat;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A core or a collection of Solr. In one that the user has made, documents are changed only if a
 * run has filled it: a document with a key of its own says so, and with what.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> as {@link EngineClient}; a collection that is not there
 * is named.
 */
final class SolrIndex implements EngineIndex {

  /** What Solr's default configuration calls the unique key. */
  static final String DEFAULT_KEY = "id";

  /** The type of each is the dynamic field of Solr's default configuration. */
  static final String TITLE = "title_t";

  static final String BODY = "body_t";
  static final String DATE = "date_l";

  private static final String STAMP = "stamp_s";

  /** The key of the document that says what a run filled the collection with. */
  private static final String STAMP_KEY = "weir-stress";

  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final Duration LOADING = Duration.ofMinutes(3);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final EngineClient client;
  private final String name;
  private final boolean ownServer;

  private volatile String key = DEFAULT_KEY;

  /** In which field searches look; empty for the one that the collection's configuration names. */
  private volatile Optional<String> searched = Optional.of(BODY);

  private SolrIndex(EngineClient client, String name, boolean ownServer) {
    this.client = client;
    this.name = name;
    this.ownServer = ownServer;
  }

  /** On a server of the run's own. */
  static SolrIndex onOwnServer(EngineClient client, String name) {
    return new SolrIndex(client, name, true);
  }

  /** On a server, or in a SolrCloud, that the run has not started. */
  static SolrIndex inCluster(EngineClient client, String name) {
    return new SolrIndex(client, name, false);
  }

  @Override
  public String version() throws IOException, InterruptedException {
    return "solr " + system().path("lucene").path("solr-spec-version").asText("unknown");
  }

  private JsonNode system() throws IOException, InterruptedException {
    try {
      return client.get("/admin/info/system");
    } catch (EngineException e) {
      throw e.status() == NOT_FOUND
          ? new EngineException(
              "no Solr answers at %s; its address mostly ends with /solr".formatted(client.base()),
              e)
          : e;
    }
  }

  private boolean isCloud() throws IOException, InterruptedException {
    return system().path("mode").asText().equals("solrcloud");
  }

  /** None where the server has no such metrics, as Solr 10 has them in another form. */
  @Override
  public Collections collections() throws IOException, InterruptedException {
    JsonNode metrics;
    try {
      metrics =
          client.get(
              "/admin/metrics?wt=json&group=jvm&prefix=gc." + (isCloud() ? "&nodes=all" : ""));
    } catch (EngineException e) {
      return Collections.NONE;
    }
    Collections all = Collections.NONE;
    for (JsonNode jvm : metrics.findValues("solr.jvm")) {
      for (Map.Entry<String, JsonNode> figure : jvm.properties()) {
        String collector = figure.getKey().replaceAll("^gc\\.|\\.count$", "");
        if (figure.getKey().endsWith(".count")) {
          all =
              all.plus(
                  collector,
                  figure.getValue().asLong(),
                  jvm.path("gc." + collector + ".time").asLong());
        }
      }
    }
    return all;
  }

  @Override
  public Optional<EngineStamp> stamp() throws IOException, InterruptedException {
    requireThere();
    requireSchema();
    Optional<JsonNode> marked = stampDocument();
    if (marked.isEmpty()) {
      requireEmpty();
      return Optional.empty();
    }
    try {
      return Optional.of(RunJson.ofLine(marked.get().asText(), EngineStamp.class));
    } catch (JsonProcessingException e) {
      throw new EngineException(
          "the collection must be one that this version of weir stress has filled; delete its"
              + " documents: "
              + name,
          e);
    }
  }

  private void requireEmpty() throws IOException, InterruptedException {
    if (count() > 0) {
      throw new EngineException(
          "the collection must be empty, or one that weir stress has filled, because updates"
              + " replace documents: "
              + name);
    }
  }

  /** Of a collection that a run has filled, or begun to fill. */
  private Optional<JsonNode> stampDocument() throws IOException, InterruptedException {
    JsonNode stamp =
        client.get(path("/get?id=" + STAMP_KEY + "&fl=" + STAMP)).path("doc").path(STAMP);
    return stamp.isTextual() ? Optional.of(stamp) : Optional.empty();
  }

  private void requireThere() throws IOException, InterruptedException {
    system();
    try {
      count();
    } catch (EngineException e) {
      throw e.status() == NOT_FOUND
          ? new EngineException(
              "there is no core or collection %s at %s".formatted(name, client.base()), e)
          : e;
    }
  }

  private void requireSchema() throws IOException, InterruptedException {
    key = schema().requireKeyAndFields();
  }

  private SolrSchema schema() throws IOException, InterruptedException {
    return new SolrSchema(name, client.get(path("/schema")).path("schema"));
  }

  /**
   * A run makes the schema of its own server; that of the user's must have the field. No plan asks
   * Solr for another format than floats.
   */
  @Override
  public void requireVectors(int dims, VectorFormat format)
      throws IOException, InterruptedException {
    requireThere();
    schema().requireVectors(dims);
  }

  @Override
  public void create(EngineStamp stamp) throws IOException, InterruptedException {
    if (ownServer) {
      client.get("/admin/cores?action=CREATE&name=%s&configSet=%s".formatted(name, name));
    } else {
      requireSchema();
      requireEmpty();
      mark(stamp);
      flush();
    }
  }

  private void mark(EngineStamp stamp) throws IOException, InterruptedException {
    update(RunJson.line(List.of(Map.of(key, STAMP_KEY, STAMP, RunJson.line(stamp)))));
  }

  @Override
  public void recordFilled(EngineStamp stamp) throws IOException, InterruptedException {
    if (!ownServer) { // else a file beside the data says what they are
      mark(stamp);
    }
    client.getAndWait(path("/update?commit=true"));
    long found = documents();
    if (found != stamp.documents()) {
      throw new EngineException(
          "the collection must hold the %d documents that it was given: %d"
              .formatted(stamp.documents(), found));
    }
  }

  /** Leaves the core or the collection, without documents. */
  @Override
  public void delete() throws IOException, InterruptedException {
    client.post(path("/update?commit=true"), Map.of("delete", Map.of("query", "*:*")));
  }

  /** A server answers before it has loaded its cores. */
  @Override
  public void awaitHealth() throws IOException, InterruptedException {
    long endNanos = NanoClock.SYSTEM.nanoTime() + LOADING.toNanos();
    while (true) {
      try {
        requireThere();
        return;
      } catch (EngineException e) {
        if (e.status() != UNAVAILABLE || NanoClock.SYSTEM.nanoTime() > endNanos) {
          throw e;
        }
      }
      NanoClock.SYSTEM.parkNanos(this, LOOK_EVERY.toNanos());
    }
  }

  @Override
  public void prepare(ArmSettings arm) throws IOException, InterruptedException {
    if (!ownServer) {
      look();
    } else if (arm.get(ArmSetting.PRESET) == Preset.WEIR && arm.get(ArmSetting.CAP).isLimited()) {
      client.get(
          path(
              "/weir?max_bytes_per_sec=%db&count_reads=%b"
                  .formatted(
                      arm.get(ArmSetting.CAP).bytesPerSecond(), arm.get(ArmSetting.COUNT_READS))));
    }
  }

  @Override
  public void look() throws IOException, InterruptedException {
    boolean filledByRun = isFilledByRun();
    searched = filledByRun ? Optional.of(BODY) : Optional.empty();
    if (filledByRun) {
      requireSchema();
    }
  }

  /** Whether its documents, and their fields, are those of a run. */
  private boolean isFilledByRun() throws IOException, InterruptedException {
    try {
      return stampDocument().isPresent();
    } catch (EngineException e) {
      return false; // without a unique key there is no such path
    }
  }

  @Override
  public Shape shape() throws IOException, InterruptedException {
    List<String> cores = leaders();
    int segments = 0;
    for (String core : cores) {
      segments += client.get("/" + core + "/admin/segments").path("segments").size();
    }
    return new Shape(cores.size(), segments);
  }

  /** A core of each shard. */
  private List<String> leaders() throws IOException, InterruptedException {
    if (!isCloud()) {
      return List.of(name);
    }
    List<String> cores = new ArrayList<>();
    JsonNode collections =
        client
            .get("/admin/collections?action=CLUSTERSTATUS&collection=" + name)
            .path("cluster")
            .path("collections");
    for (JsonNode collection : collections) { // the name may be an alias of others
      for (JsonNode shard : collection.path("shards")) {
        for (JsonNode replica : shard.path("replicas")) {
          if (replica.path("leader").asBoolean()) {
            cores.add(replica.path("core").asText());
          }
        }
      }
    }
    return cores;
  }

  /** The document that marks the collection is none of them. */
  @Override
  public long documents() throws IOException, InterruptedException {
    return count() - (!ownServer && isFilledByRun() ? 1 : 0);
  }

  private long count() throws IOException, InterruptedException {
    return client
        .get(path("/select?rows=0&defType=lucene&q=*:*"))
        .path("response")
        .path("numFound")
        .asLong();
  }

  @Override
  public Bulk bulk() {
    return new Documents();
  }

  /** Sends an array of documents, or commands; each of them must succeed. */
  private void update(String json) throws IOException, InterruptedException {
    client.postJson(path("/update"), json);
  }

  @Override
  public Map<String, Object> request(SearchQuery query, DocumentVectors vectors, int size) {
    return request(
        switch (query.kind()) {
          case TEXT -> text(query);
          case KNN -> nearestTo(vectors.ofQuery(query.terms()));
          case HYBRID ->
              Map.of(
                  "bool",
                  Map.of(
                      "should",
                      List.of(
                          Map.of("lucene", Map.of("query", text(query))),
                          nearestTo(vectors.ofQuery(query.terms())))));
        },
        Map.of("limit", size),
        Map.of());
  }

  @Override
  public int search(SearchQuery query, DocumentVectors vectors, int size)
      throws IOException, InterruptedException {
    return select(request(query, vectors, size)).size();
  }

  /** The documents that are found. */
  private JsonNode select(Map<String, Object> request) throws IOException, InterruptedException {
    return client.post(path("/select"), request).path("response").path("docs");
  }

  private Map<String, Object> request(
      Object query, Map<String, Object> more, Map<String, String> moreParameters) {
    Map<String, String> parameters = new LinkedHashMap<>(moreParameters);
    parameters.put("q.op", "OR");
    searched.ifPresent(
        field -> {
          parameters.put("defType", "lucene");
          parameters.put("df", field);
        });
    Map<String, Object> request = new LinkedHashMap<>(more);
    request.put("query", query);
    request.put("params", parameters);
    return request;
  }

  /** The query for the nearest neighbours; each shard finds as many. */
  private static Map<String, Object> nearestTo(float[] vector) {
    return Map.of(
        "knn",
        Map.of(
            "f", SolrSchema.VECTOR, "topK", SearchQuery.NEIGHBOURS, "query", RunJson.line(vector)));
  }

  @Override
  public List<String> nearest(float[] vector) throws IOException, InterruptedException {
    Map<String, Object> keys = Map.of("limit", SearchQuery.NEIGHBOURS, "fields", List.of(key));
    return select(request(nearestTo(vector), keys, Map.of())).findValuesAsText(key);
  }

  @Override
  public void forEachVector(VectorRecall.VectorConsumer<String> consumer)
      throws IOException, InterruptedException {
    Map<String, Object> all =
        Map.of("limit", PAGE, "fields", List.of(key, SolrSchema.VECTOR), "sort", key + " asc");
    String cursor = "";
    for (String next = "*"; !next.equals(cursor); ) { // the last page names itself
      cursor = next;
      JsonNode page =
          client.post(path("/select"), request("*:*", all, Map.of("cursorMark", cursor)));
      for (JsonNode document : page.path("response").path("docs")) {
        Optional<float[]> vector = EngineIndex.vector(document.path(SolrSchema.VECTOR));
        if (vector.isPresent() && !consumer.take(document.path(key).asText(), vector.get())) {
          return;
        }
      }
      next = page.path("nextCursorMark").asText(cursor);
    }
  }

  @Override
  public Optional<PluginFigures> pluginFigures() throws IOException, InterruptedException {
    if (!ownServer) {
      return Optional.empty(); // of a collection, each core would have an answer of its own
    }
    try {
      return PluginFigures.ofCore(client.get(path("/weir")));
    } catch (EngineException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty(); // without the plug-in there is no such handler
      }
      throw e;
    }
  }

  /** A query as Solr's parsers read it. They analyze a term as they do those of all users. */
  static String text(SearchQuery query) {
    String sign = query.operator() == SearchQuery.Operator.AND ? "+" : "";
    return Stream.concat(
            query.terms().stream().map(term -> sign + quoted(term)),
            query.without().stream().map(term -> "-" + quoted(term)))
        .reduce((some, next) -> some + " " + next)
        .orElseThrow();
  }

  private static String quoted(String term) {
    return '"' + term.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Override
  public void refresh() throws IOException, InterruptedException {
    client.get(path("/update?softCommit=true"));
  }

  /** Waits, however long it takes, for an optimise that runs: in Solr a hard commit does. */
  @Override
  public void flush() throws IOException, InterruptedException {
    client.getAndWait(path("/update?commit=true&openSearcher=false"));
  }

  @Override
  public void forceMerge() throws IOException, InterruptedException {
    client.getAndWait(path("/update?optimize=true&maxSegments=1"));
  }

  /** None: Solr takes another merge policy only by a reload, which holds up updates. */
  @Override
  public Optional<NaturalMerges> naturalMerges() {
    return Optional.empty();
  }

  private String path(String rest) {
    return "/" + name + rest;
  }

  /** The documents of one request to {@code /update}. <b>Threads:</b> one. */
  private final class Documents implements Bulk {

    private final StringBuilder documents = new StringBuilder();

    @Override
    public void add(Updater.Update document) {
      CorpusDocument text = document.text();
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(key, document.key());
      fields.put(TITLE, text.title());
      fields.put(BODY, text.body());
      fields.put(DATE, text.epochMillis());
      document.vector().ifPresent(vector -> fields.put(SolrSchema.VECTOR, vector));
      documents.append(documents.isEmpty() ? '[' : ',').append(RunJson.line(fields));
    }

    @Override
    public int bytes() {
      return documents.length();
    }

    @Override
    public void send() throws IOException, InterruptedException {
      String taken = documents.append(']').toString();
      documents.setLength(0);
      update(taken);
    }
  }
}
