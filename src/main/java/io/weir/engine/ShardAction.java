package io.weir.engine;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What a user can request from all nodes over REST, and what each shard answers. */
public enum ShardAction {
  /** All figures of nodes and shards. */
  STATS("cluster:monitor/weir/stats", "GET", "stats", shard -> Optional.of(shard.figures())),

  /** The progress of running forced merges. */
  FORCED_MERGES("cluster:monitor/weir/forcemerge", "GET", "forcemerge", EngineShard::forcedMerge),

  /** Cancels forced merges. */
  CANCEL(
      "cluster:admin/weir/forcemerge/cancel",
      "POST",
      "forcemerge/_cancel",
      shard -> Optional.of(Figures.of("cancelled", shard.tracker().cancelForcedMerges())));

  private final String privilege;
  private final String method;
  private final String path;
  private final Function<EngineShard, Optional<Map<String, Object>>> answer;

  ShardAction(
      String privilege,
      String method,
      String path,
      Function<EngineShard, Optional<Map<String, Object>>> answer) {
    this.privilege = privilege;
    this.method = method;
    this.path = path;
    this.answer = answer;
  }

  /** The action's name between nodes, which the engine's security grants to users. */
  public String privilege() {
    return privilege;
  }

  /** The HTTP method. */
  public String method() {
    return method;
  }

  /** The paths of REST: for all indexes, and for the parameter {@code index}. */
  public List<String> paths() {
    return List.of("/_weir/" + path, "/{index}/_weir/" + path);
  }

  /** A name for the engine's statistics of REST calls. */
  public String handlerName() {
    return "weir_" + name().toLowerCase(Locale.ROOT);
  }

  /** What a shard answers; empty if it has nothing to say. */
  Optional<Map<String, Object>> answerOf(EngineShard shard) {
    return answer.apply(shard);
  }
}
