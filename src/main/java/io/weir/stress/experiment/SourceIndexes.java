package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.IndexStamp;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.KeyLayout;
import io.weir.stress.plan.StressPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The indexes that a run's arms start from: one for each {@link KeyLayout} that an arm asks for.
 * The first that is missing is built from the documents, any other is rewritten from one that is
 * there, so that all have the same segments.
 *
 * <p><b>Threads:</b> one.
 */
final class SourceIndexes {

  private final Map<KeyLayout, Path> paths;
  private final EnumSet<KeyLayout> needed;
  private final Map<KeyLayout, IndexStamp> found = new EnumMap<>(KeyLayout.class);
  private final Set<KeyLayout> there;

  private SourceIndexes(StressPlan plan, Map<KeyLayout, Path> paths) throws StressException {
    this.paths = paths;
    this.needed = EnumSet.noneOf(KeyLayout.class);
    for (Arm arm : plan.arms()) {
      needed.add(arm.settings().idPostings().layout());
    }
    look(plan, needed);
    if (found.isEmpty()) { // one that no arm needs can still be rewritten
      look(plan, EnumSet.complementOf(needed));
    }
    this.there = EnumSet.noneOf(KeyLayout.class);
    there.addAll(found.keySet());
  }

  /**
   * What the run needs and what of it is there.
   *
   * @param scratch where they are when the user named no place
   */
  static SourceIndexes find(StressPlan plan, Path scratch) throws StressException {
    Map<KeyLayout, Path> paths = new EnumMap<>(KeyLayout.class);
    Path base = plan.index() != null ? plan.index() : scratch.resolve("index");
    for (KeyLayout layout : KeyLayout.values()) {
      paths.put(layout, StressPlan.index(base, layout));
    }
    SourceIndexes indexes = new SourceIndexes(plan, paths);
    IndexStamp shared = indexes.found.get(KeyLayout.SHARED);
    IndexStamp apart = indexes.found.get(KeyLayout.APART);
    if (shared != null && apart != null && !shared.isPairWith(apart)) {
      throw new StressException(
          Kind.USAGE,
          "--index must hold two indexes of one build, or one of the two: delete %s or %s"
              .formatted(paths.get(KeyLayout.SHARED), paths.get(KeyLayout.APART)));
    }
    return indexes;
  }

  private void look(StressPlan plan, Set<KeyLayout> layouts) throws StressException {
    for (KeyLayout layout : layouts) {
      Preflight.requireFitting(plan, paths.get(layout), layout)
          .ifPresent(stamp -> found.put(layout, stamp));
    }
  }

  Path path(KeyLayout layout) {
    return paths.get(layout);
  }

  /** The places of those that arms start from, in the order of layouts. */
  Map<KeyLayout, Path> needed() {
    Map<KeyLayout, Path> places = new EnumMap<>(KeyLayout.class);
    needed.forEach(layout -> places.put(layout, paths.get(layout)));
    return Collections.unmodifiableMap(places);
  }

  /** One of them, to say where the run works. */
  Path first() {
    return paths.get(needed.iterator().next());
  }

  /** Whether it has been found or made. */
  boolean isThere(KeyLayout layout) {
    return there.contains(layout);
  }

  /** Those still to be made, in the order to make them. */
  List<KeyLayout> missing() {
    List<KeyLayout> missing = new ArrayList<>(needed);
    missing.removeAll(there);
    return missing;
  }

  /** One that is there, needed or not, to rewrite another from; null when there is none. */
  Path origin() {
    return there.isEmpty() ? null : paths.get(there.iterator().next());
  }

  /** It has been made. */
  void made(KeyLayout layout) {
    there.add(layout);
  }

  /** How many documents those hold that were found; 0 when none was. */
  long foundDocuments() {
    return found.values().stream().mapToLong(IndexStamp::documents).findFirst().orElse(0);
  }

  /** What making them would take; of a size that is not known, nothing. */
  RunForecast forecast(StressPlan plan, DocumentSource source) throws IOException {
    Path origin = origin();
    Path place = origin == null ? first() : origin;
    OptionalLong indexBytes = Preflight.indexBytes(plan, source, place, origin != null);
    OptionalLong neededBytes =
        indexBytes.isEmpty()
            ? indexBytes
            : OptionalLong.of(
                Preflight.neededBytes(indexBytes.getAsLong(), origin != null, missing().size()));
    Map<Path, RunForecast.Making> making = new LinkedHashMap<>();
    boolean any = origin != null;
    for (KeyLayout layout : needed) {
      boolean missing = missing().contains(layout);
      making.put(
          paths.get(layout),
          missing
              ? any ? RunForecast.Making.REWRITTEN : RunForecast.Making.BUILT
              : RunForecast.Making.THERE);
      any = true;
    }
    return new RunForecast(plan, making, indexBytes, neededBytes, Preflight.usableBytes(place));
  }

  /** There must be room for all that is still to be made and for one large merge. */
  void requireDisk(StressPlan plan, DocumentSource source) throws StressException, IOException {
    Path origin = origin();
    Preflight.requireDisk(
        plan, source, origin == null ? first() : origin, origin != null, missing().size());
  }
}
