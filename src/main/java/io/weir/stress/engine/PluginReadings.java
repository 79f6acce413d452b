package io.weir.stress.engine;

import io.weir.run.ArmFigures;
import io.weir.run.FailureWords;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.arm.meters.Meter;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What Weir's plug-in says about the index when each phase of an arm begins and when the arm ends:
 * what merges did, and why refreshes were slow. An engine without the plug-in, or an index without
 * Weir, has no such figures.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> figures that cannot be read are missing from then on; a
 * warning says why.
 */
final class PluginReadings implements Meter {

  private static final String INCOMPLETE =
      "the figures of Weir's plug-in are missing or incomplete";

  private static final RunWarning BEGUN_ANEW =
      new RunWarning(
          INCOMPLETE,
          "a shard moved, or a node restarted or gave no answer, and counters began anew",
          "a run while each shard stays on its node");

  private final EngineIndex index;
  private final Supplier<Values> slow;
  private final Map<Phase, PluginFigures> readings = new EnumMap<>(Phase.class); // at its begin
  private Optional<PluginFigures> mergeEnd = Optional.empty();
  private Optional<PluginFigures> last = Optional.empty();
  private final Set<RunWarning> warnings = new LinkedHashSet<>();
  private boolean isThere = true; // until an answer says otherwise

  /**
   * No readings yet.
   *
   * @param slow the slow refreshes that the client saw, after the last one
   */
  PluginReadings(EngineIndex index, Supplier<Values> slow) {
    this.index = index;
    this.slow = slow;
  }

  @Override
  public void begin(Phase phase) throws InterruptedException {
    read().ifPresent(figures -> readings.put(phase, figures));
    mergeEnd = Optional.ofNullable(readings.get(Phase.AFTER));
  }

  /** If the middle phase has begun and not ended, now is its end. */
  @Override
  public void end() throws InterruptedException {
    if (readings.containsKey(Phase.DURING) && mergeEnd.isEmpty()) {
      mergeEnd = read();
    }
  }

  @Override
  public Values values() throws InterruptedException {
    read();
    return Values.builder().put(merged()).put(explain(slow.get())).build();
  }

  private Optional<PluginFigures> read() throws InterruptedException {
    Optional<PluginFigures> figures = Optional.empty();
    if (isThere) {
      try {
        figures = index.pluginFigures();
      } catch (IOException e) {
        warnings.add(
            new RunWarning(INCOMPLETE, FailureWords.of(e), "the engine must answer this request"));
      }
      isThere = figures.isPresent();
    }
    if (figures.isPresent()) {
      last = figures;
    }
    return figures;
  }

  /** The cap in force at the last reading. */
  Optional<String> cap() {
    return last.map(PluginFigures::cap);
  }

  /** What merges did in the middle phase; nothing without figures of its beginning and its end. */
  private Values merged() {
    Optional<PluginFigures> start = Optional.ofNullable(readings.get(Phase.DURING));
    if (start.isEmpty() || mergeEnd.isEmpty()) {
      return Values.NONE;
    }
    Optional<Values> merged = mergeEnd.get().mergedSince(start.get());
    if (merged.isEmpty()) {
      warnings.add(BEGUN_ANEW);
    }
    return merged.orElse(Values.NONE);
  }

  /** The slow refreshes that the client saw, with the causes that the plug-in knows. */
  private Values explain(Values seen) {
    Values.Builder explained = Values.builder().put(seen);
    for (Phase phase : Phase.MEASURED) {
      explained.put(ArmFigures.SLOW_CAUSES, phase, causes(seen, phase));
    }
    return explained.build();
  }

  private SlowCauses causes(Values seen, Phase phase) {
    PluginFigures start = readings.get(phase);
    long reopens = seen.require(ArmFigures.SLOW_REOPENS, phase);
    if (start == null || reopens == 0) {
      return seen.require(ArmFigures.SLOW_CAUSES, phase);
    }
    PluginFigures end =
        Phase.MEASURED.stream()
            .filter(later -> later.compareTo(phase) > 0 && readings.containsKey(later))
            .findFirst()
            .map(readings::get)
            .orElseGet(last::orElseThrow);
    Optional<SlowCauses> known =
        end.causesSince(start, reopens, seen.require(ArmFigures.SLOW_LOST, phase))
            .map(SlowCauses::new);
    if (known.isEmpty()) {
      warnings.add(BEGUN_ANEW);
    }
    return known.orElseGet(() -> seen.require(ArmFigures.SLOW_CAUSES, phase));
  }

  /** Why figures are missing that should be there; after all of them have been asked for. */
  List<RunWarning> warnings() {
    return List.copyOf(warnings);
  }
}
