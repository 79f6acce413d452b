package io.weir.elasticsearch;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeCap;
import io.weir.engine.NodeCap.Schedule;
import io.weir.engine.SlowRefreshes;
import io.weir.rate.BudgetOptions;
import io.weir.rate.Rate;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;
import org.elasticsearch.common.settings.Setting;
import org.elasticsearch.common.settings.Setting.Property;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.unit.ByteSizeValue;
import org.elasticsearch.core.TimeValue;
import org.elasticsearch.index.IndexSettings;

/**
 * All settings of the plug-in, and whether they ask for Weir on an index. {@code
 * docs/ELASTICSEARCH.md} explains them to operators.
 *
 * <p>The switch is a setting of its own, not a store type: Weir writes stock files, so it is not a
 * property of the data. With the node's default alone nothing is kept in an index, so nodes with
 * and without the plug-in can share it. A setting of an index is refused by a node that does not
 * know it. Remove the setting before the plug-in; the index need not be closed.
 */
final class WeirSettings {

  private static final long UNLIMITED = -1;

  /** Whether indexes that do not say otherwise have Weir, existing ones included. */
  static final Setting<Boolean> DEFAULT =
      Setting.boolSetting("weir.default", false, Property.NodeScope);

  /** The cap of all merges of a node together, in bytes per second; -1 is unlimited. */
  static final Setting<ByteSizeValue> MAX_BYTES_PER_SEC =
      Setting.byteSizeSetting(
          "weir.merge.max_bytes_per_sec",
          ByteSizeValue.ofBytes(UNLIMITED),
          ByteSizeValue.ofBytes(UNLIMITED),
          ByteSizeValue.ofBytes(Rate.MAX_BYTES_PER_SECOND),
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

  /** Slower refreshes are logged with their cause; -1 turns that off. */
  static final Setting<TimeValue> SLOW_REFRESH =
      Setting.timeSetting(
          SlowRefreshes.THRESHOLD,
          TimeValue.timeValueMillis(500),
          TimeValue.MINUS_ONE,
          Property.NodeScope);

  /**
   * Whether an index has Weir from its next opening on. Without it, the node's default decides. It
   * is dynamic so that it can be removed from an open index.
   */
  static final Setting<Boolean> INDEX_ENABLED =
      Setting.boolSetting("index.weir.enabled", false, Property.IndexScope, Property.Dynamic);

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
        SLOW_REFRESH,
        INDEX_ENABLED,
        MERGE_WEIGHT);
  }

  /** Whether an index is to have Weir. {@link IndexChoice} says whether it can. */
  static boolean isOn(IndexSettings index) {
    Settings settings = index.getSettings();
    return INDEX_ENABLED.exists(settings)
        ? INDEX_ENABLED.get(settings)
        : DEFAULT.get(index.getNodeSettings());
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
