package io.weir.stress.engine;

import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.VectorFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * What an index of a run in an engine was made as, and filled with. The index of a cluster keeps it
 * in its mapping, a data directory in a file.
 *
 * @param engine of the servers of the run's own; empty in a cluster that runs
 * @param compound which of its segments are compound files
 * @param quantised how it holds vectors; empty for floats, which earlier versions always made
 * @param documents how many it got; 0 while it is being filled
 */
public record EngineStamp(
    Optional<Engine> engine,
    Documents from,
    int shards,
    CompoundFiles compound,
    Optional<VectorFormat> quantised,
    long documents) {

  /** The stamp of an index that is not filled yet. */
  public static EngineStamp wanted(
      Optional<Engine> engine, Documents from, int shards, IndexLayout layout) {
    return new EngineStamp(
        engine,
        from,
        shards,
        layout.compound(),
        Optional.of(layout.vectors()).filter(format -> format != VectorFormat.FLOAT),
        0);
  }

  /** The same index, filled. */
  public EngineStamp filled(long count) {
    return new EngineStamp(engine, from, shards, compound, quantised, count);
  }

  /** How it holds vectors. */
  VectorFormat vectorFormat() {
    return quantised.orElse(VectorFormat.FLOAT);
  }

  /** Whether a run that wants {@code wanted} would have made this very index. */
  public boolean matches(EngineStamp wanted) {
    return filled(0).equals(wanted.filled(0));
  }

  /** As a message says it. */
  @Override
  public String toString() {
    return "%s%s, %d %s, compound=%s%s"
        .formatted(
            from,
            engine.map(known -> " in " + known.label()).orElse(""),
            shards,
            shards == 1 ? "shard" : "shards",
            compound.name().toLowerCase(Locale.ROOT),
            quantised.map(format -> ", vector-format=" + format.label()).orElse(""));
  }
}
