package io.weir.stress.engine;

import io.weir.stress.result.GcResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  GcResult since(EngineCollections start) {
    return new GcResult(
        count - start.count, (millis - start.millis) / 1e3, collectors, Optional.empty());
  }
}
