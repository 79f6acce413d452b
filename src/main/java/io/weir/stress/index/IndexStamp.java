package io.weir.stress.index;

import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.StringHelper;

/**
 * What an index was built from, kept in its commit so that a later run knows whether it may use it.
 *
 * @param vectors which of the documents have one; empty for none
 * @param textBytes about how much text its source had; empty if that was unknown
 * @param documents how many it holds
 * @param layout what its files are like
 * @param commit the identity of the commit that holds this; empty while it is not committed
 * @param copyOf the commit of the index that was built and that this one was rewritten from,
 *     perhaps by way of others; empty when it was built itself
 */
public record IndexStamp(
    int schema,
    String source,
    long seed,
    long maxDocuments,
    Optional<String> vectors,
    OptionalLong textBytes,
    long documents,
    IndexLayout layout,
    Optional<String> commit,
    Optional<String> copyOf) {

  private static final String SCHEMA = "weir.schema";
  private static final String SOURCE = "weir.source";
  private static final String SEED = "weir.seed";
  private static final String MAX_DOCUMENTS = "weir.maxDocuments";
  private static final String VECTORS = "weir.vectors";
  private static final String TEXT_BYTES = "weir.textBytes";
  private static final String DOCUMENTS = "weir.documents";
  private static final String KEY_LAYOUT = "weir.keyLayout";
  private static final String COMPOUND = "weir.compound";
  private static final String VECTOR_FORMAT = "weir.vectorFormat";
  private static final String COPY_OF = "weir.copyOf";

  /** The stamp of an index of {@code documents}. */
  static IndexStamp of(
      Documents wanted, OptionalLong textBytes, long documents, IndexLayout layout) {
    return new IndexStamp(
        IndexSchema.VERSION,
        wanted.source(),
        wanted.seed(),
        wanted.maxDocuments(),
        wanted.vectors(),
        textBytes,
        documents,
        layout,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The stamp of the index in {@code directory}; empty when it is not one stamped by this class.
   */
  public static Optional<IndexStamp> read(Directory directory) throws IOException {
    SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
    Map<String, String> data = infos.getUserData();
    try {
      return Optional.of(
          new IndexStamp(
              Integer.parseInt(data.get(SCHEMA)),
              data.get(SOURCE),
              Long.parseLong(data.get(SEED)),
              Long.parseLong(data.get(MAX_DOCUMENTS)),
              Optional.ofNullable(data.get(VECTORS)),
              data.containsKey(TEXT_BYTES)
                  ? OptionalLong.of(Long.parseLong(data.get(TEXT_BYTES)))
                  : OptionalLong.empty(),
              Long.parseLong(data.get(DOCUMENTS)),
              new IndexLayout(
                  idPostings(data.getOrDefault(KEY_LAYOUT, "")),
                  CompoundFiles.valueOf(data.getOrDefault(COMPOUND, "")),
                  VectorFormat.valueOf(
                      data.getOrDefault(VECTOR_FORMAT, VectorFormat.FLOAT.name()))),
              Optional.of(StringHelper.idToString(infos.getId())),
              Optional.ofNullable(data.get(COPY_OF))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static IdPostings idPostings(String keyLayout) {
    return Arrays.stream(IdPostings.values())
        .filter(ids -> keyLayout(ids).equals(keyLayout))
        .findFirst()
        .orElseThrow(IllegalArgumentException::new);
  }

  private static String keyLayout(IdPostings idPostings) {
    return switch (idPostings) {
      case DEFAULT -> "SHARED";
      case RESIDENT -> "APART";
    };
  }

  /** Whether a run that wants {@code wanted} would have built this very index. */
  public boolean matches(Documents wanted) {
    return schema == IndexSchema.VERSION
        && source.equals(wanted.source())
        && seed == wanted.seed()
        && maxDocuments == wanted.maxDocuments()
        && vectors.equals(wanted.vectors());
  }

  /** The stamp of this index rewritten in another layout. */
  IndexStamp rewritten(IndexLayout newLayout) {
    return new IndexStamp(
        schema,
        source,
        seed,
        maxDocuments,
        vectors,
        textBytes,
        documents,
        newLayout,
        Optional.empty(),
        built());
  }

  /** Whether both come of one build: the same documents, segment by segment. */
  public boolean isOfOneBuildWith(IndexStamp other) {
    return built().equals(other.built());
  }

  private Optional<String> built() {
    return copyOf.or(() -> commit);
  }

  /** As the commit keeps it. */
  Map<String, String> toCommitData() {
    Map<String, String> data = new TreeMap<>();
    data.put(SCHEMA, Integer.toString(schema));
    data.put(SOURCE, source);
    data.put(SEED, Long.toString(seed));
    data.put(MAX_DOCUMENTS, Long.toString(maxDocuments));
    vectors.ifPresent(spec -> data.put(VECTORS, spec));
    textBytes.ifPresent(bytes -> data.put(TEXT_BYTES, Long.toString(bytes)));
    data.put(DOCUMENTS, Long.toString(documents));
    data.put(KEY_LAYOUT, keyLayout(layout.idPostings()));
    data.put(COMPOUND, layout.compound().name());
    data.put(VECTOR_FORMAT, layout.vectors().name());
    copyOf.ifPresent(built -> data.put(COPY_OF, built));
    return data;
  }

  @Override
  public String toString() {
    return documents
        + " documents of "
        + source
        + " (seed "
        + seed
        + (maxDocuments > 0 ? ", at most " + maxDocuments : "")
        + vectors.map(spec -> ", vectors " + spec).orElse("")
        + ", schema "
        + schema
        + ")";
  }
}
