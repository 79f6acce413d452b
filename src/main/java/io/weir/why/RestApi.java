package io.weir.why;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.why.NodeWatch.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** OpenSearch and Elasticsearch, by the paths that they share. */
final class RestApi implements ClusterApi {

  private static final String NODES =
      "/_nodes/jvm?filter_path=cluster_name,nodes.*.name,nodes.*.ip,nodes.*.version,"
          + "nodes.*.build_flavor,nodes.*.jvm.pid,nodes.*.jvm.start_time_in_millis";
  private static final String COUNTS =
      "/_cluster/stats?filter_path=indices.count,indices.shards.total";
  private static final String SETTINGS =
      "/_all/_settings?include_defaults=true&expand_wildcards=all&filter_path="
          + "*.*.index.refresh_interval,*.*.index.merge,*.*.index.merge_on_flush,"
          + "*.*.index.soft_deletes,*.*.index.translog";

  /**
   * Only what is used: a node computes the size of its files and of completions anew when asked.
   */
  private static final String STATS =
      "/_nodes/stats/indices,jvm,os,fs/refresh,merge,segments,docs,indexing"
          + "?filter_path=nodes.*.indices.refresh,nodes.*.indices.merges,"
          + "nodes.*.indices.segments.count,nodes.*.indices.docs,nodes.*.indices.indexing,"
          + "nodes.*.jvm.gc,nodes.*.os.cpu.percent,nodes.*.fs.io_stats.total";

  private static final String FORCED_MERGES =
      "/_tasks?actions=*forcemerge*&filter_path=nodes.*.tasks.*.action";

  /** Of a forced merge itself; its parts on the shards have longer names. */
  private static final String FORCED_MERGE = "indices:admin/forcemerge";

  /** Those that decide on refreshes and merges; shown if an index has them. */
  private static final List<String> SHOWN =
      List.of(
          "refresh_interval",
          "merge.scheduler.max_thread_count",
          "merge.scheduler.max_merge_count",
          "merge.scheduler.auto_throttle",
          "merge.policy.max_merged_segment",
          "merge.policy.segments_per_tier",
          "merge_on_flush.enabled",
          "soft_deletes.enabled",
          "translog.durability",
          "translog.sync_interval");

  private static final int MOST_VALUES = 4;
  private static final Pattern BELOW_SECONDS = Pattern.compile("(\\d+)(ms|micros|nanos)");
  private static final int MILLIS_PER_SECOND = 1000;

  private static final Map<Counter, String> POINTERS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(Counter.REFRESHES, "/indices/refresh/total"),
              Map.entry(Counter.REFRESH_MILLIS, "/indices/refresh/total_time_in_millis"),
              Map.entry(Counter.MERGES_RUNNING, "/indices/merges/current"),
              Map.entry(Counter.MERGE_MILLIS, "/indices/merges/total_time_in_millis"),
              Map.entry(
                  Counter.MERGE_THROTTLED_MILLIS, "/indices/merges/total_throttled_time_in_millis"),
              Map.entry(
                  Counter.INDEXING_THROTTLED_MILLIS, "/indices/indexing/throttle_time_in_millis"),
              Map.entry(Counter.SEGMENTS, "/indices/segments/count"),
              Map.entry(Counter.DOCUMENTS, "/indices/docs/count"),
              Map.entry(Counter.DELETED_DOCUMENTS, "/indices/docs/deleted"),
              Map.entry(Counter.CPU_PERCENT, "/os/cpu/percent"),
              Map.entry(Counter.DISK_OPERATIONS, "/fs/io_stats/total/operations")));

  private final EngineClient client;
  private boolean tasksMayBeAsked = true;

  RestApi(EngineClient client) {
    this.client = client;
  }

  @Override
  public Described describe() throws IOException, InterruptedException {
    JsonNode answer = nodes();
    List<Node> nodes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> node : answer.path("nodes").properties()) {
      JsonNode jvm = node.getValue().path("jvm");
      nodes.add(
          new Node(
              node.getKey(),
              node.getValue().path("name").asText(),
              node.getValue().path("ip").asText(),
              number(jvm.path("pid")),
              number(jvm.path("start_time_in_millis"))));
    }
    Map<String, String> about = new LinkedHashMap<>();
    about.put("cluster", answer.path("cluster_name").asText());
    version(answer.path("nodes"), about);
    about.put("nodes", Integer.toString(nodes.size()));
    Map<Fact, Double> facts = new LinkedHashMap<>();
    List<String> unseen = new ArrayList<>();
    try {
      JsonNode counts = client.get(COUNTS).path("indices");
      about.put("indexes", counts.path("count").asText());
      about.put("shards, with replicas", counts.at("/shards/total").asText("0"));
      facts.put(Fact.CLUSTER_SHARDS, counts.at("/shards/total").asDouble());
      facts.put(Fact.CLUSTER_INDEXES, counts.path("count").asDouble());
      settings(client.get(SETTINGS), about, facts);
    } catch (EngineException e) {
      unseen.add("The settings of indexes: %s.".formatted(ClusterSource.said(e)));
    }
    return new Described(about, facts, nodes, unseen);
  }

  private JsonNode nodes() throws IOException, InterruptedException {
    String nothing =
        "no OpenSearch and no Elasticsearch answers at %s; Solr is solr:URL"
            .formatted(client.base());
    try {
      JsonNode answer = client.get(NODES);
      if (answer.path("nodes").isObject()) {
        return answer;
      }
      throw new EngineException(nothing);
    } catch (EngineException e) {
      throw ClusterApi.isOfAnother(e) ? new EngineException(nothing, e) : e;
    }
  }

  private static OptionalLong number(JsonNode value) {
    return value.isNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
  }

  /** Lucene's is on the first page of a node, which a user may have no right to. */
  private void version(JsonNode nodes, Map<String, String> about)
      throws IOException, InterruptedException {
    about.put(
        nodes.findValue("build_flavor") == null ? "opensearch" : "elasticsearch",
        nodes
            .valueStream()
            .map(node -> node.path("version").asText())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", ")));
    try {
      JsonNode lucene = client.get("/").at("/version/lucene_version");
      if (lucene.isTextual()) {
        about.put("lucene-core", lucene.asText());
      }
    } catch (EngineException e) {
      // The distribution of Elasticsearch for tests does not answer there either.
    }
  }

  /** How many indexes have which value; without the names of indexes. */
  private static void settings(
      JsonNode indexes, Map<String, String> about, Map<Fact, Double> facts) {
    int fast = 0;
    Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();
    for (JsonNode index : indexes) {
      for (String name : SHOWN) {
        String pointer = "/index/" + name.replace('.', '/');
        JsonNode set = index.path("settings").at(pointer);
        JsonNode value = set.isMissingNode() ? index.path("defaults").at(pointer) : set;
        if (value.isValueNode()) {
          counts.computeIfAbsent(name, n -> new TreeMap<>()).merge(value.asText(), 1, Integer::sum);
        }
      }
      JsonNode interval = index.at("/settings/index/refresh_interval");
      fast += isBelowASecond(interval.asText("")) ? 1 : 0;
    }
    counts.forEach((name, values) -> about.put("index." + name, spelled(values)));
    facts.put(Fact.REFRESH_FAST, (double) fast);
  }

  private static boolean isBelowASecond(String interval) {
    Matcher time = BELOW_SECONDS.matcher(interval);
    return time.matches()
        && (!time.group(2).equals("ms") || Long.parseLong(time.group(1)) < MILLIS_PER_SECOND);
  }

  private static String spelled(Map<String, Integer> values) {
    if (values.size() == 1) {
      return values.keySet().iterator().next();
    }
    String shown =
        values.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(MOST_VALUES)
            .map(value -> "%s in %d".formatted(value.getKey(), value.getValue()))
            .collect(Collectors.joining(", "));
    return values.size() <= MOST_VALUES ? shown : shown + ", others in others";
  }

  @Override
  public Map<String, Map<Counter, Double>> counters() throws IOException, InterruptedException {
    JsonNode answer = client.get(STATS).path("nodes");
    double forced = forcedMerges();
    Map<String, Map<Counter, Double>> nodes = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> node : answer.properties()) {
      JsonNode stats = node.getValue();
      Map<Counter, Double> values = new EnumMap<>(Counter.class);
      POINTERS.forEach(
          (counter, pointer) -> {
            JsonNode value = stats.at(pointer);
            if (value.isNumber() && value.asDouble() >= 0) { // -1 is unknown
              values.put(counter, value.asDouble());
            }
          });
      JsonNode disk = stats.at("/fs/io_stats/total");
      if (disk.isObject()) {
        values.put(
            Counter.DISK_KILOBYTES,
            disk.path("read_kilobytes").asDouble() + disk.path("write_kilobytes").asDouble());
      }
      values.put(
          Counter.COLLECTION_MILLIS,
          stats
              .at("/jvm/gc/collectors")
              .valueStream()
              .mapToDouble(collector -> collector.path("collection_time_in_millis").asDouble())
              .sum());
      if (tasksMayBeAsked) {
        values.put(Counter.FORCED_MERGES_RUNNING, forced);
      }
      nodes.put(node.getKey(), values);
    }
    return nodes;
  }

  /** Of the whole cluster. */
  private double forcedMerges() throws IOException, InterruptedException {
    if (!tasksMayBeAsked) {
      return 0;
    }
    try {
      return client.get(FORCED_MERGES).findValuesAsText("action").stream()
          .filter(FORCED_MERGE::equals)
          .count();
    } catch (EngineException e) {
      tasksMayBeAsked = false;
      return 0;
    }
  }

  @Override
  public Map<String, List<ThreadDump.Thread>> stacks() throws IOException, InterruptedException {
    return HotThreads.parse(client.getText(HotThreads.PATH));
  }

  @Override
  public String privilege() {
    return "the cluster privilege monitor of Elasticsearch, or cluster_monitor of OpenSearch";
  }
}
