package io.weir.stress.engine;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.List;

/**
 * The garbage collections of all nodes up to one moment; their pauses are not reported.
 *
 * @param millis their time
 * @param collectors their names
 */
record EngineCollections(long count, long millis, List<String> collectors) {

  static final EngineCollections NONE = new EngineCollections(0, 0, List.of());

  /** These, and those of one collector of one node. */
  EngineCollections plus(String collector, long itsCount, long itsMillis) {
    List<String> names = new ArrayList<>(collectors);
    if (!names.contains(collector)) {
      names.add(collector);
    }
    return new EngineCollections(count + itsCount, millis + itsMillis, List.copyOf(names));
  }

  Values since(EngineCollections start) {
    return Values.builder()
        .put(ArmFigures.GC_COLLECTIONS, count - start.count)
        .put(ArmFigures.GC_SECONDS, (millis - start.millis) / 1e3)
        .put(ArmFigures.GC_COLLECTORS, String.join(", ", collectors))
        .build();
  }
}
