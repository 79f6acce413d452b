package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeCap;
import io.weir.engine.NodeCap.Schedule;
import io.weir.engine.SlowRefreshes;
import io.weir.rate.BudgetOptions;
import io.weir.rate.Rate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexModule;

/** All settings of the plug-in. {@code docs/OPENSEARCH.md} explains them to operators. */
final class WeirSettings {

  /** The value of {@code index.store.type} that turns Weir on for an index. */
  static final String STORE_TYPE = "weir";

  private static final long UNLIMITED = -1;
  private static final int MAX_PORT = 65_535;

  /** Whether new indexes get the store type unless their creator names another one. */
  static final Setting<Boolean> DEFAULT =
      Setting.boolSetting("weir.default", false, Property.NodeScope, Property.Dynamic);

  /** The cap of all merges of a node together, in bytes per second; -1 is unlimited. */
  static final Setting<ByteSizeValue> MAX_BYTES_PER_SEC =
      Setting.byteSizeSetting(
          "weir.merge.max_bytes_per_sec",
          new ByteSizeValue(UNLIMITED),
          new ByteSizeValue(UNLIMITED),
          new ByteSizeValue(Rate.MAX_BYTES_PER_SECOND),
          Property.NodeScope,
          Property.Dynamic);

  /** Hours with a cap of their own; at all other times the node's holds. */
  static final Setting<Schedule> SCHEDULE =
      new Setting<>(
          NodeCap.SCHEDULE,
          "",
          text -> Schedule.parse(NodeCap.SCHEDULE, text, WeirSettings::rate),
          Property.NodeScope,
          Property.Dynamic);

  /** The time zone of those hours; empty is the node's. */
  static final Setting<ZoneId> TIME_ZONE =
      new Setting<>(
          NodeCap.TIME_ZONE, "", name -> NodeCap.zone(NodeCap.TIME_ZONE, name), Property.NodeScope);

  /** Whether the cap holds reads and writes of merges together, not only writes. */
  static final Setting<Boolean> COUNT_READS =
      Setting.boolSetting("weir.merge.count_reads", false, Property.NodeScope, Property.Dynamic);

  /** Whether merges compute on what all others leave of the processors. */
  static final Setting<Boolean> IDLE_CLASS =
      Setting.boolSetting(EngineNode.IDLE_CLASS, false, Property.NodeScope, Property.Dynamic);

  /** How many cores all merges of a node may use together; -1 is no limit. */
  static final Setting<OptionalDouble> CPU =
      new Setting<>(
          EngineNode.CPU,
          EngineNode.NO_LIMIT,
          EngineNode::cores,
          Property.NodeScope,
          Property.Dynamic);

  /** The share of the cap that each shard of an index has, relative to other shards. */
  static final Setting<Integer> MERGE_WEIGHT =
      Setting.intSetting(
          "index.weir.merge.weight",
          1,
          1,
          BudgetOptions.MAX_WEIGHT,
          Property.IndexScope,
          Property.Dynamic);

  /** Slower refreshes are logged with their cause; -1 turns that off. */
  static final Setting<TimeValue> SLOW_REFRESH =
      Setting.timeSetting(
          SlowRefreshes.THRESHOLD,
          TimeValue.timeValueMillis(500),
          TimeValue.MINUS_ONE,
          Property.NodeScope);

  /** The port of the metrics for Prometheus; -1 is none. */
  static final Setting<Integer> METRICS_PORT =
      Setting.intSetting("weir.metrics.port", -1, -1, MAX_PORT, Property.NodeScope);

  /** The address of that port. */
  static final Setting<String> METRICS_HOST =
      Setting.simpleString("weir.metrics.host", "127.0.0.1", Property.NodeScope);

  /** Kinds of index that are untested with Weir: they are refused, with the reason. */
  private static final Map<String, Predicate<Settings>> UNSUPPORTED = new LinkedHashMap<>();

  static {
    UNSUPPORTED.put(
        "a remote store (index.remote_store.enabled: true)",
        settings -> settings.getAsBoolean("index.remote_store.enabled", false));
    UNSUPPORTED.put(
        "context-aware segments (index.context_aware.enabled: true)",
        settings -> settings.getAsBoolean("index.context_aware.enabled", false));
    UNSUPPORTED.put(
        "pluggable data formats (index.pluggable.dataformat.enabled: true)",
        settings -> settings.getAsBoolean("index.pluggable.dataformat.enabled", false));
    UNSUPPORTED.put(
        "pull-based ingestion (index.ingestion_source.type)",
        settings -> !settings.get("index.ingestion_source.type", "none").equalsIgnoreCase("none"));
  }

  private WeirSettings() {}

  static List<Setting<?>> all() {
    return List.of(
        DEFAULT,
        MAX_BYTES_PER_SEC,
        SCHEDULE,
        TIME_ZONE,
        COUNT_READS,
        IDLE_CLASS,
        CPU,
        MERGE_WEIGHT,
        SLOW_REFRESH,
        METRICS_PORT,
        METRICS_HOST);
  }

  /** Whether an index with these settings has Weir. */
  static boolean isOn(Settings index) {
    return STORE_TYPE.equals(IndexModule.INDEX_STORE_TYPE_SETTING.get(index));
  }

  /** The kind to which an index with these settings belongs; empty if Weir supports it. */
  static Optional<String> unsupported(Settings settings) {
    return UNSUPPORTED.entrySet().stream()
        .filter(kind -> kind.getValue().test(settings))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Refuses an index with Weir if it is of such a kind.
   *
   * @throws IllegalArgumentException if there is one
   */
  static void refuse(Optional<String> kind) {
    kind.ifPresent(
        unsupported -> {
          throw new IllegalArgumentException(
              "index.store.type: weir does not support "
                  + unsupported
                  + "; remove one of the two settings");
        });
  }

  /**
   * The cap as a rate.
   *
   * @throws IllegalArgumentException if it is 0, which would stop all merges
   */
  static Rate rate(ByteSizeValue cap) {
    return NodeCap.rate(MAX_BYTES_PER_SEC.getKey(), cap.getBytes());
  }

  private static Rate rate(String setting, String cap) {
    return NodeCap.rate(
        setting, cap, text -> ByteSizeValue.parseBytesSizeValue(text, setting).getBytes());
  }
}
