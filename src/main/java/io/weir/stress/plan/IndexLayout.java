package io.weir.stress.plan;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What differs between the indexes that the arms of one run start from. Their documents and their
 * segments are the same.
 *
 * @param idPostings where the postings of the key are
 * @param compound which segments are compound files
 * @param vectors how segments hold vectors
 */
public record IndexLayout(IdPostings idPostings, CompoundFiles compound, VectorFormat vectors) {

  /** An index as Lucene writes it by default. */
  public static final IndexLayout PLAIN =
      new IndexLayout(IdPostings.DEFAULT, CompoundFiles.DEFAULT, VectorFormat.FLOAT);

  /** What the index must be like that an arm with such settings starts from. */
  public static IndexLayout of(ArmSettings settings) {
    return new IndexLayout(
        settings.get(ArmSetting.ID_POSTINGS),
        settings.get(ArmSetting.COMPOUND),
        settings.get(ArmSetting.VECTOR_FORMAT));
  }

  /** Likewise for an arm on an engine, which looks up keys in its own way. */
  public static IndexLayout ofEngine(ArmSettings settings) {
    return new IndexLayout(
        IdPostings.DEFAULT,
        settings.get(ArmSetting.COMPOUND),
        settings.get(ArmSetting.VECTOR_FORMAT));
  }

  /** Each there is, {@link #PLAIN} first. */
  public static List<IndexLayout> all() {
    return Arrays.stream(VectorFormat.values())
        .flatMap(
            vectors ->
                Arrays.stream(CompoundFiles.values())
                    .flatMap(
                        compound ->
                            Arrays.stream(IdPostings.values())
                                .map(ids -> new IndexLayout(ids, compound, vectors))))
        .toList();
  }

  /**
   * Where an index of this layout is kept.
   *
   * @param base where {@link #PLAIN} is; the others are beside it
   */
  public Path place(Path base) {
    String suffix = suffix();
    return suffix.isEmpty() ? base : base.resolveSibling(base.getFileName() + suffix);
  }

  /** What its name has after that of {@link #PLAIN}: {@code -resident}, say; nothing for that. */
  public String suffix() {
    String ofKeys =
        switch (idPostings) {
          case DEFAULT -> "";
          case RESIDENT -> "-resident";
        };
    String ofCompound =
        switch (compound) {
          case DEFAULT -> "";
          case ALWAYS -> "-compound";
          case NEVER -> "-noncompound";
        };
    String ofVectors = vectors == VectorFormat.FLOAT ? "" : "-" + vectors.label();
    return ofKeys + ofCompound + ofVectors;
  }
}
