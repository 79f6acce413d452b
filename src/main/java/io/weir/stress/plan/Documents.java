package io.weir.stress.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.VectorFormat;
import java.util.List;
import java.util.Optional;

/**
 * Which documents the index is built from.
 *
 * @param source as {@link io.weir.corpus.DocumentSources#parse} takes it
 * @param seed of everything random in a run: synthetic text, keys, which document is updated, what
 *     is searched for and when
 * @param maxDocuments how many to take at most; 0 for all of them
 * @param vectors which of them have a vector, as {@link
 *     io.weir.stress.index.DocumentVectors.Spec#parse} takes it; empty for none
 */
public record Documents(String source, long seed, long maxDocuments, Optional<String> vectors) {

  /** Refuses a negative count. */
  public Documents {
    if (maxDocuments < 0) {
      throw new IllegalArgumentException("doc-count must be at least 1 document: " + maxDocuments);
    }
  }

  /** Documents without vectors. */
  public Documents(String source, long seed, long maxDocuments) {
    this(source, seed, maxDocuments, Optional.empty());
  }

  /** The same documents, with vectors. */
  public Documents withVectors(String newVectors) {
    return new Documents(source, seed, maxDocuments, Optional.of(newVectors));
  }

  /** Refuses arms that need vectors, if there are none. */
  public void requireVectorsOf(List<Arm> arms) {
    for (Arm arm : arms) {
      VectorFormat format = arm.settings().get(ArmSetting.VECTOR_FORMAT);
      if (vectors.isEmpty() && format != VectorFormat.FLOAT) {
        throw new IllegalArgumentException(
            "%s needs --vectors, because without it no document has one: arm %s"
                .formatted(ArmSetting.VECTOR_FORMAT, arm.name()));
      }
    }
  }

  /** For people: what an index of them is of. */
  @Override
  public String toString() {
    return "%s (seed %d%s%s)"
        .formatted(
            source,
            seed,
            maxDocuments > 0 ? ", at most " + maxDocuments : "",
            vectors.map(of -> ", vectors " + of).orElse(""));
  }
}
