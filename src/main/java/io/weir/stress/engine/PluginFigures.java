package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.weir.figure.Figure;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.nrt.ReopenCause;
import io.weir.option.HumanRate;
import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Weir's plug-in has counted up to one moment, about one index. A shard that moves to another
 * node begins to count anew, as do all shards of a node that restarts.
 *
 * @param nodes that have shards of it, by their ids
 * @param merges by kind, added over the shards
 * @param causes of slow refreshes by name, added over the shards
 */
record PluginFigures(
    SortedMap<String, Node> nodes, Map<MergeKind, Merges> merges, Map<String, Cause> causes) {

  /** Of a core of Solr, whose answer does not name its node. */
  private static final String ONLY_NODE = "";

  /**
   * A node.
   *
   * @param cap in bytes per second; negative for none
   * @param chargedBytes by its budget since it started, for merges of all its indexes
   * @param waitMillis for its budget, likewise
   * @param shards of the index that it has
   */
  record Node(long cap, long chargedBytes, long waitMillis, Set<String> shards) {

    private static Node of(JsonNode merge, Set<String> shards) {
      return new Node(
          number(merge, "max_bytes_per_sec"),
          number(merge, "charged_bytes"),
          number(merge, "wait_millis"),
          shards);
    }

    private boolean continues(Node start) {
      return shards.equals(start.shards)
          && chargedBytes >= start.chargedBytes
          && waitMillis >= start.waitMillis;
    }
  }

  /**
   * Merges of one kind.
   *
   * @param totals what only grows, by its figure, in the unit of an answer
   */
  record Merges(long running, Map<SourceFigure<MergeKindTotals>, Long> totals) {

    private static final Merges NONE = of(MissingNode.getInstance());

    private static Merges of(JsonNode kind) {
      Map<SourceFigure<MergeKindTotals>, Long> totals = new LinkedHashMap<>();
      MergeKindTotals.FIGURES
          .in(Shown.ANSWER)
          .filter(figure -> figure.figure().kind() == Figure.Kind.TOTAL)
          .forEach(figure -> totals.put(figure, number(kind, figure.name(Shown.ANSWER))));
      return new Merges(number(kind, "running"), totals);
    }

    private boolean continues(Merges start) {
      return totals.keySet().stream().allMatch(figure -> total(figure) >= start.total(figure));
    }

    private Merges plus(Merges other) {
      Map<SourceFigure<MergeKindTotals>, Long> sums = new LinkedHashMap<>(totals);
      other.totals.forEach((figure, total) -> sums.merge(figure, total, Long::sum));
      return new Merges(running + other.running, sums);
    }

    private long total(SourceFigure<MergeKindTotals> figure) {
      return totals.getOrDefault(figure, 0L);
    }

    private long ended() {
      return Stream.of("done", "aborted", "failed").mapToLong(this::named).sum();
    }

    long written() {
      return named("written");
    }

    private long named(String id) {
      return totals.entrySet().stream()
          .filter(total -> total.getKey().figure().id().equals(id))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  /** Slow refreshes that had one cause, and how long it held them up. */
  record Cause(long refreshes, long millis) {

    private static final Cause NONE = new Cause(0, 0);

    private boolean continues(Cause start) {
      return refreshes >= start.refreshes && millis >= start.millis;
    }

    private Cause plus(Cause other) {
      return new Cause(refreshes + other.refreshes, millis + other.millis);
    }
  }

  /**
   * Reads an answer to {@code GET /INDEX/_weir/stats}; empty if no node has a shard of the index
   * with Weir.
   */
  static Optional<PluginFigures> of(JsonNode answer, String index) {
    SortedMap<String, Node> nodes = new TreeMap<>();
    Map<MergeKind, Merges> merges = new EnumMap<>(MergeKind.class);
    Map<String, Cause> causes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> node : answer.path("nodes").properties()) {
      Set<String> shards = new TreeSet<>();
      for (Map.Entry<String, JsonNode> shard :
          node.getValue().path("indices").path(index).properties()) {
        shards.add(shard.getKey());
        addMerges(shard.getValue().path("merges"), merges);
        addCauses(shard.getValue().path("slow_refreshes"), causes);
      }
      if (!shards.isEmpty()) {
        nodes.put(node.getKey(), Node.of(node.getValue().path("merge"), shards));
      }
    }
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(new PluginFigures(nodes, merges, causes));
  }

  /** Reads an answer to {@code GET /CORE/weir} of Solr. */
  static Optional<PluginFigures> ofCore(JsonNode answer) {
    Node node = Node.of(answer.path("node").path("merge"), Set.of());
    JsonNode core = answer.path("core");
    Map<MergeKind, Merges> merges = new EnumMap<>(MergeKind.class);
    Map<String, Cause> causes = new TreeMap<>();
    addMerges(core.path("merges"), merges);
    addCauses(core.path("slow_refreshes"), causes);
    return core.isMissingNode()
        ? Optional.empty()
        : Optional.of(new PluginFigures(new TreeMap<>(Map.of(ONLY_NODE, node)), merges, causes));
  }

  private static void addMerges(JsonNode kinds, Map<MergeKind, Merges> merges) {
    for (MergeKind kind : MergeKind.values()) {
      merges.merge(kind, Merges.of(kinds.path(kind.name().toLowerCase(Locale.ROOT))), Merges::plus);
    }
  }

  private static void addCauses(JsonNode slow, Map<String, Cause> causes) {
    for (Map.Entry<String, JsonNode> millis : slow.path("cause_millis").properties()) {
      String name = millis.getKey();
      causes.merge(
          name,
          new Cause(number(slow.path("cause_count"), name), millis.getValue().asLong()),
          Cause::plus);
    }
  }

  private static long number(JsonNode figures, String name) {
    return figures.path(name).asLong();
  }

  /** The cap in force, as an arm's setting is written; of several nodes perhaps several. */
  String cap() {
    return nodes.values().stream()
        .map(Node::cap)
        .distinct()
        .sorted()
        .map(cap -> cap < 0 ? "off" : HumanRate.print(Rate.perSecond(cap)))
        .collect(Collectors.joining(" and "));
  }

  /** By the budgets of all nodes. */
  long chargedBytes() {
    return nodes.values().stream().mapToLong(Node::chargedBytes).sum();
  }

  private long waitMillis() {
    return nodes.values().stream().mapToLong(Node::waitMillis).sum();
  }

  /** Whether no counter has begun anew since {@code start}, so that differences mean something. */
  private boolean continues(PluginFigures start) {
    return nodes.keySet().equals(start.nodes.keySet())
        && nodes.keySet().stream().allMatch(id -> nodes.get(id).continues(start.nodes.get(id)))
        && Stream.of(MergeKind.values())
            .allMatch(kind -> merges(kind).continues(start.merges(kind)))
        && start.causes.keySet().stream()
            .allMatch(name -> cause(name).continues(start.cause(name)));
  }

  private Merges merges(MergeKind kind) {
    return merges.getOrDefault(kind, Merges.NONE);
  }

  private Cause cause(String name) {
    return causes.getOrDefault(name, Cause.NONE);
  }

  /** What merges did since {@code start}; empty if counters have begun anew since then. */
  Optional<Values> mergedSince(PluginFigures start) {
    if (!continues(start)) {
      return Optional.empty();
    }
    Values.Builder values = Values.builder();
    long written = 0;
    for (MergeKind kind : MergeKind.values()) {
      Merges to = merges(kind);
      Merges from = start.merges(kind);
      Values grown =
          MergeFigures.counted(kind)
              .told(figure -> to.total(figure) - from.total(figure), Shown.ANSWER);
      written += grown.require(MergeFigures.BYTES_OF, kind);
      values.put(grown).put(MergeFigures.MERGES, kind, to.ended() - from.ended() + to.running());
    }
    return Optional.of(
        values
            .put(MergeFigures.BYTES_WRITTEN, written)
            .put(MergeFigures.BYTES_CHARGED, chargedBytes() - start.chargedBytes())
            .put(MergeFigures.PAUSED_SECONDS, (waitMillis() - start.waitMillis()) / 1e3)
            .build());
  }

  /**
   * The causes of slow refreshes since {@code start}, the largest first. Shards refresh at the same
   * time, so together their causes may have taken longer than the refreshes: then each is scaled
   * down. What was lost for no cause that the plug-in names is of an unknown one. Empty if counters
   * have begun anew since then.
   *
   * @param refreshes how many were slow, as the client saw them
   * @param lostSeconds their time
   */
  Optional<List<SlowCauses.Cause>> causesSince(
      PluginFigures start, long refreshes, double lostSeconds) {
    if (!continues(start)) {
      return Optional.empty();
    }
    Map<String, Cause> grown = new TreeMap<>();
    causes.forEach(
        (name, to) -> {
          Cause from = start.cause(name);
          if (to.millis > from.millis) {
            grown.put(name, new Cause(to.refreshes - from.refreshes, to.millis - from.millis));
          }
        });
    double named = grown.values().stream().mapToLong(Cause::millis).sum() / 1e3;
    double scale = named > lostSeconds ? lostSeconds / named : 1;
    long unnamedMillis = Math.round((lostSeconds - named * scale) * 1e3);
    if (unnamedMillis > 0) {
      grown.merge(
          ReopenCause.UNKNOWN.name().toLowerCase(Locale.ROOT),
          new Cause(refreshes, unnamedMillis),
          Cause::plus);
    }
    List<SlowCauses.Cause> found = new ArrayList<>();
    grown.forEach(
        (name, cause) -> {
          double seconds = cause.millis / 1e3 * scale;
          found.add(
              new SlowCauses.Cause(
                  name,
                  label(name),
                  seconds,
                  seconds / lostSeconds,
                  Math.min(refreshes, cause.refreshes)));
        });
    found.sort(Comparator.comparingDouble(SlowCauses.Cause::seconds).reversed());
    return Optional.of(found);
  }

  /** The plug-in of a cluster may be of another version, with causes that this one has not. */
  private static String label(String name) {
    for (ReopenCause cause : ReopenCause.values()) {
      if (cause.name().equalsIgnoreCase(name)) {
        return cause.label();
      }
    }
    return name;
  }
}
