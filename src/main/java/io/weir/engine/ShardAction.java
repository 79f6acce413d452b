package io.weir.elasticsearch;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.elasticsearch.action.ActionType;
import org.elasticsearch.rest.RestHandler.Route;
import org.elasticsearch.rest.RestRequest.Method;

/** What a user can request from all nodes over REST, and what each shard answers. */
enum WeirAction {
  /** All figures of nodes and shards. */
  STATS("cluster:monitor/weir/stats", Method.GET, "stats", shard -> Optional.of(shard.figures())),

  /** The progress of running forced merges. */
  FORCED_MERGES(
      "cluster:monitor/weir/forcemerge", Method.GET, "forcemerge", WeirShard::forcedMerge),

  /** Cancels forced merges. */
  CANCEL(
      "cluster:admin/weir/forcemerge/cancel",
      Method.POST,
      "forcemerge/_cancel",
      shard -> Optional.of(Figures.of("cancelled", shard.cancelForcedMerges())));

  private final ActionType<WeirResponse> type;
  private final Method method;
  private final String path;
  private final Function<WeirShard, Optional<Map<String, Object>>> answer;

  /**
   * @param privilege the action's name, which the security plug-in grants to users
   */
  WeirAction(
      String privilege,
      Method method,
      String path,
      Function<WeirShard, Optional<Map<String, Object>>> answer) {
    this.type = new ActionType<>(privilege);
    this.method = method;
    this.path = path;
    this.answer = answer;
  }

  ActionType<WeirResponse> type() {
    return type;
  }

  /** For all indexes, and for some. */
  List<Route> routes() {
    return List.of(
        new Route(method, "/_weir/" + path), new Route(method, "/{index}/_weir/" + path));
  }

  /** What a shard answers; empty if it has nothing to say. */
  Optional<Map<String, Object>> answerOf(WeirShard shard) {
    return answer.apply(shard);
  }

  /** A name for the engine's statistics. */
  String handlerName() {
    return "weir_" + name().toLowerCase(Locale.ROOT);
  }
}
