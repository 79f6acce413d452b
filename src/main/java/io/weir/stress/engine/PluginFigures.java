package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.merge.MergeKind;
import io.weir.nrt.ReopenCause;
import io.weir.option.HumanRate;
import io.weir.rate.Rate;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.SlowReopenCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What Weir's plug-in has counted up to one moment, about one index: added over its shards, and
 * over the nodes that have any. A shard that moves to another node begins to count anew.
 *
 * @param caps of these nodes, in bytes per second; negative for none
 * @param chargedBytes by these nodes' budgets, for merges of all their indexes
 * @param waitMillis for these budgets
 * @param merges by kind
 * @param causes of slow refreshes, by name
 */
record PluginFigures(
    SortedSet<Long> caps,
    long chargedBytes,
    long waitMillis,
    Map<MergeKind, Merges> merges,
    Map<String, Cause> causes) {

  /** Merges of one kind. */
  record Merges(long ended, long running, long writtenBytes, long pauses, long pausedMillis) {

    private static final Merges NONE = new Merges(0, 0, 0, 0, 0);

    private static Merges of(JsonNode totals) {
      return new Merges(
          number(totals, "done") + number(totals, "aborted") + number(totals, "failed"),
          number(totals, "running"),
          number(totals, "written_bytes"),
          number(totals, "pauses"),
          number(totals, "paused_millis"));
    }

    private Merges plus(Merges other) {
      return new Merges(
          ended + other.ended,
          running + other.running,
          writtenBytes + other.writtenBytes,
          pauses + other.pauses,
          pausedMillis + other.pausedMillis);
    }
  }

  /** Slow refreshes that had one cause, and how long it held them up. */
  record Cause(long refreshes, long millis) {

    private Cause plus(Cause other) {
      return new Cause(refreshes + other.refreshes, millis + other.millis);
    }
  }

  /**
   * Reads an answer to {@code GET /INDEX/_weir/stats}; empty if no node has a shard of the index
   * with Weir.
   */
  static Optional<PluginFigures> of(JsonNode answer, String index) {
    SortedSet<Long> caps = new TreeSet<>();
    Map<MergeKind, Merges> merges = new EnumMap<>(MergeKind.class);
    Map<String, Cause> causes = new TreeMap<>();
    long chargedBytes = 0;
    long waitMillis = 0;
    for (JsonNode node : answer.path("nodes")) {
      JsonNode shards = node.path("indices").path(index);
      if (shards.isEmpty()) {
        continue;
      }
      caps.add(number(node.path("merge"), "max_bytes_per_sec"));
      chargedBytes += number(node.path("merge"), "charged_bytes");
      waitMillis += number(node.path("merge"), "wait_millis");
      for (JsonNode shard : shards) {
        addMerges(shard.path("merges"), merges);
        addCauses(shard.path("slow_refreshes"), causes);
      }
    }
    return caps.isEmpty()
        ? Optional.empty()
        : Optional.of(new PluginFigures(caps, chargedBytes, waitMillis, merges, causes));
  }

  /** Reads an answer to {@code GET /CORE/weir} of Solr. */
  static Optional<PluginFigures> ofCore(JsonNode answer) {
    JsonNode node = answer.path("node").path("merge");
    JsonNode core = answer.path("core");
    Map<MergeKind, Merges> merges = new EnumMap<>(MergeKind.class);
    Map<String, Cause> causes = new TreeMap<>();
    addMerges(core.path("merges"), merges);
    addCauses(core.path("slow_refreshes"), causes);
    return core.isMissingNode()
        ? Optional.empty()
        : Optional.of(
            new PluginFigures(
                new TreeSet<>(List.of(number(node, "max_bytes_per_sec"))),
                number(node, "charged_bytes"),
                number(node, "wait_millis"),
                merges,
                causes));
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
    return caps.stream()
        .map(cap -> cap < 0 ? "off" : HumanRate.print(Rate.perSecond(cap)))
        .collect(Collectors.joining(" and "));
  }

  /**
   * What merges did since {@code start}.
   *
   * @param kind as the result names the large merge
   * @param seconds how long that took
   */
  MergeResult mergedSince(PluginFigures start, String kind, double seconds) {
    MergePauses pauses =
        new MergePauses(
            since(start, MergeKind.NATURAL),
            since(start, MergeKind.FORCED),
            since(start, MergeKind.CRITICAL),
            since(start, MergeKind.OTHER));
    return new MergeResult(
        kind,
        seconds,
        Optional.empty(),
        Optional.of(
            pauses.natural().bytes()
                + pauses.forced().bytes()
                + pauses.critical().bytes()
                + pauses.other().bytes()),
        Optional.of(chargedBytes - start.chargedBytes),
        Optional.of((waitMillis - start.waitMillis) / 1e3),
        Optional.of(pauses),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private PausedMerges since(PluginFigures start, MergeKind kind) {
    Merges to = merges.getOrDefault(kind, Merges.NONE);
    Merges from = start.merges.getOrDefault(kind, Merges.NONE);
    return new PausedMerges(
        to.ended - from.ended + to.running,
        to.pauses - from.pauses,
        (to.pausedMillis - from.pausedMillis) / 1e3,
        to.writtenBytes - from.writtenBytes);
  }

  /**
   * The causes of slow refreshes since {@code start}, the largest first. Shards refresh at the same
   * time, so together their causes may have taken longer than the refreshes: then each is scaled
   * down. What was lost for no cause that the plug-in names is of an unknown one.
   *
   * @param refreshes how many were slow, as the client saw them
   * @param lostSeconds their time
   */
  List<SlowReopenCause> causesSince(PluginFigures start, long refreshes, double lostSeconds) {
    Map<String, Cause> grown = new TreeMap<>();
    causes.forEach(
        (name, to) -> {
          Cause from = start.causes.getOrDefault(name, new Cause(0, 0));
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
    List<SlowReopenCause> found = new ArrayList<>();
    grown.forEach(
        (name, cause) -> {
          double seconds = cause.millis / 1e3 * scale;
          found.add(
              new SlowReopenCause(
                  name,
                  label(name),
                  seconds,
                  seconds / lostSeconds,
                  Math.min(refreshes, cause.refreshes)));
        });
    found.sort(Comparator.comparingDouble(SlowReopenCause::seconds).reversed());
    return found;
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
