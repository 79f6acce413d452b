package io.weir.stress.engine;

import io.weir.stress.result.FailureWords;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SlowReopenCause;
import io.weir.stress.result.SlowReopenResult;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What Weir's plug-in says about the index when each phase of an arm begins and when the arm ends.
 * An engine without the plug-in, or an index without Weir, has no such figures.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> figures that cannot be read are missing from then on; a
 * warning says why.
 */
final class PluginReadings {

  private static final String INCOMPLETE =
      "the figures of Weir's plug-in are missing or incomplete";

  private static final RunWarning BEGUN_ANEW =
      new RunWarning(
          INCOMPLETE,
          "a shard moved, or a node restarted or gave no answer, and counters began anew",
          "a run while each shard stays on its node");

  private final EngineIndex index;
  private final Map<Phase, PluginFigures> readings = new EnumMap<>(Phase.class); // at its begin
  private Optional<PluginFigures> last = Optional.empty();
  private final Set<RunWarning> warnings = new LinkedHashSet<>();
  private boolean isThere = true; // until an answer says otherwise

  PluginReadings(EngineIndex index) {
    this.index = index;
  }

  /** A phase begins. */
  void enter(Phase phase) throws InterruptedException {
    read().ifPresent(figures -> readings.put(phase, figures));
  }

  /** The arm ends. */
  void end() throws InterruptedException {
    read();
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

  /**
   * What merges did in the middle phase; empty without figures of its beginning and its end. If it
   * has not ended, now is its end.
   */
  Optional<MergeResult> merged(String kind, double seconds, boolean ended)
      throws InterruptedException {
    PluginFigures start = readings.get(Phase.DURING);
    Optional<PluginFigures> end = Optional.ofNullable(readings.get(Phase.AFTER));
    if (end.isEmpty()) {
      end = read();
    }
    if (start == null || end.isEmpty()) {
      return Optional.empty();
    }
    Optional<MergeResult> merged = end.get().mergedSince(start, kind, seconds, ended);
    if (merged.isEmpty()) {
      warnings.add(BEGUN_ANEW);
    }
    return merged;
  }

  /** The slow refreshes that the client saw, with the causes that the plug-in knows. */
  SlowReopenResult explain(SlowReopenResult seen) {
    return new SlowReopenResult(
        seen.thresholdMillis(),
        seen.reopens(),
        seen.lostSeconds(),
        Phases.each(phase -> causes(seen, phase)));
  }

  private List<SlowReopenCause> causes(SlowReopenResult seen, Phase phase) {
    PluginFigures start = readings.get(phase);
    if (start == null || seen.reopens().get(phase) == 0) {
      return seen.causes().get(phase);
    }
    PluginFigures end =
        Phase.MEASURED.stream()
            .filter(later -> later.compareTo(phase) > 0 && readings.containsKey(later))
            .findFirst()
            .map(readings::get)
            .orElseGet(last::orElseThrow);
    Optional<List<SlowReopenCause>> known =
        end.causesSince(start, seen.reopens().get(phase), seen.lostSeconds().get(phase));
    if (known.isEmpty()) {
      warnings.add(BEGUN_ANEW);
    }
    return known.orElse(seen.causes().get(phase));
  }

  /** Why figures are missing that should be there; after all of them have been asked for. */
  List<RunWarning> warnings() {
    return List.copyOf(warnings);
  }
}
