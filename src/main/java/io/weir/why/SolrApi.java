package io.weir.why;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.why.NodeWatch.Counter;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Solr, one node of it: its calls answer for the node that is asked. */
final class SolrApi implements ClusterApi {

  private static final String NODE = "solr";
  private static final String SYSTEM = "/admin/info/system?wt=json";
  private static final String THREADS = "/admin/info/threads?wt=json";
  private static final String METRICS =
      "/admin/metrics?wt=json&group=core&group=jvm&prefix=SEARCHER.new.time,"
          + "SEARCHER.searcher.numDocs,SEARCHER.searcher.deletedDocs,gc.,os.systemCpuLoad,"
          + "UPDATE.updateHandler.autoCommitMaxTime,UPDATE.updateHandler.softAutoCommitMaxTime";
  private static final String CORE = "solr.core.";

  private final EngineClient client;
  private boolean metricsMayBeAsked = true;

  SolrApi(EngineClient client) {
    this.client = client;
  }

  @Override
  public Described describe() throws IOException, InterruptedException {
    JsonNode system = system();
    Map<String, String> about = new LinkedHashMap<>();
    about.put("solr-core", system.at("/lucene/solr-spec-version").asText());
    about.put("lucene-core", system.at("/lucene/lucene-spec-version").asText("unknown"));
    about.put("mode", system.path("mode").asText("unknown"));
    Map<Fact, Double> facts = new LinkedHashMap<>();
    List<String> unseen = new ArrayList<>();
    try {
      JsonNode metrics = client.get(METRICS).path("metrics");
      double cores = 0;
      for (Map.Entry<String, JsonNode> registry : metrics.properties()) {
        if (registry.getKey().startsWith(CORE)) {
          cores++;
          setting(about, registry.getValue(), "autoCommitMaxTime");
          setting(about, registry.getValue(), "softAutoCommitMaxTime");
        }
      }
      about.put("cores", "%.0f".formatted(cores));
      facts.put(Fact.CLUSTER_INDEXES, cores);
    } catch (EngineException e) {
      metricsMayBeAsked = false;
      unseen.add("Counters of Solr: %s.".formatted(ClusterSource.said(e)));
    }
    if (system.path("mode").asText().equals("solrcloud")) {
      unseen.add("Other nodes of SolrCloud: each answers for itself, at its own address.");
    }
    unseen.add("Running merges, and the time of refreshes: Solr counts new searchers only.");
    Node node =
        new Node(
            NODE,
            client.base().getAuthority(),
            client.base().getHost(),
            OptionalLong.empty(),
            start(system));
    return new Described(about, facts, List.of(node), unseen);
  }

  private JsonNode system() throws IOException, InterruptedException {
    String nothing =
        "no Solr answers at %s; its address mostly ends with /solr".formatted(client.base());
    try {
      JsonNode system = client.get(SYSTEM);
      if (system.at("/lucene/solr-spec-version").isTextual()) {
        return system;
      }
      throw new EngineException(nothing);
    } catch (EngineException e) {
      throw ClusterApi.isOfAnother(e) ? new EngineException(nothing, e) : e;
    }
  }

  private static OptionalLong start(JsonNode system) {
    try {
      return OptionalLong.of(
          Instant.parse(system.at("/jvm/jmx/startTime").asText()).toEpochMilli());
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }

  /** Of the cores that have it, the value of the last one. */
  private static void setting(Map<String, String> about, JsonNode core, String name) {
    JsonNode value = core.path("UPDATE.updateHandler." + name);
    if (value.isValueNode()) {
      about.put(name, value.asText());
    }
  }

  @Override
  public Map<String, Map<Counter, Double>> counters() throws IOException, InterruptedException {
    if (!metricsMayBeAsked) {
      return Map.of();
    }
    Map<Counter, Double> values = new EnumMap<>(Counter.class);
    for (Map.Entry<String, JsonNode> registry : client.get(METRICS).path("metrics").properties()) {
      JsonNode metrics = registry.getValue();
      if (registry.getKey().startsWith(CORE)) {
        add(values, Counter.REFRESHES, metrics.path("SEARCHER.new.time").path("count"));
        add(values, Counter.DOCUMENTS, metrics.path("SEARCHER.searcher.numDocs"));
        add(values, Counter.DELETED_DOCUMENTS, metrics.path("SEARCHER.searcher.deletedDocs"));
      } else {
        metrics
            .properties()
            .forEach(
                metric -> {
                  if (metric.getKey().matches("gc\\..*\\.time")) {
                    add(values, Counter.COLLECTION_MILLIS, metric.getValue());
                  }
                });
        JsonNode busy = metrics.path("os.systemCpuLoad");
        if (busy.isNumber() && busy.asDouble() >= 0) { // negative if unknown
          values.put(Counter.CPU_PERCENT, 100 * busy.asDouble());
        }
      }
    }
    return Map.of(NODE, values);
  }

  private static void add(Map<Counter, Double> values, Counter counter, JsonNode value) {
    if (value.isNumber()) {
      values.merge(counter, value.asDouble(), Double::sum);
    }
  }

  /** Solr says all threads, with their states. */
  @Override
  public Map<String, List<ThreadDump.Thread>> stacks() throws IOException, InterruptedException {
    List<ThreadDump.Thread> threads = new ArrayList<>();
    for (JsonNode thread : client.get(THREADS).at("/system/threadDump")) {
      List<StackTraceElement> frames = new ArrayList<>();
      thread
          .path("stackTrace")
          .forEach(line -> ThreadDump.element(line.asText()).ifPresent(frames::add));
      if (thread.isObject()) { // names stand between them
        threads.add(
            new ThreadDump.Thread(
                thread.path("name").asText(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                thread.path("state").asText().equals("BLOCKED"),
                frames));
      }
    }
    return Map.of(NODE, threads);
  }

  @Override
  public String privilege() {
    return "Solr's permissions config-read and metrics-read";
  }
}
